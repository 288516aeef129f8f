import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { CliContext } from '../cli-context.js';
import type { Command } from '../command-line/command.js';
import { CliError, Interrupted } from '../command-line/failures.js';
import type { Invocation } from '../command-line/invocation.js';
import { mediaTypeOf } from '../media-type.js';
import { UploadStates, type UploadIdentity, type UploadState } from '../storage/upload-state.js';
import { ProgressBar, bytesText } from '../terminal/progress-bar.js';
import { sendByTus, UploadGone } from '../transfers/tus-upload.js';
import { openVault, type OpenVault } from './vault-access.js';

/** `vaultsvc upload` */
export const uploadCommand: Command = {
  name: 'upload',
  summary: 'Uploads a file to a vault; run it again to resume.',
  arguments: [
    { name: 'vault', summary: 'Name or id of an open vault.' },
    { name: 'file', summary: 'The file.', isFile: true },
  ],
  options: {
    name: { value: 'name', summary: 'The name in the vault. The default is that of the file.' },
    folder: { value: 'path', summary: 'A folder such as 2026/reports; missing folders are created.' },
    restart: { summary: 'Start over, even if the file can be resumed.' },
  },
  notes: [
    'A file with a known name replaces the content, when it is complete. After a crash or Ctrl-C the same command goes\n' +
      'on where the server is, for 24 hours, unless the file was changed meanwhile.',
  ],
  examples: [
    ['Upload, and resume after Ctrl-C by the same line', 'vaultsvc upload backups db.dump'],
    [
      'Into a folder, with another name',
      'vaultsvc upload backups db.dump --folder 2026/11 --name monday.dump',
    ],
  ],
  run: async (invocation) => {
    const { context } = invocation;
    const vault = await openVault(context, invocation.argument('vault'));
    const states = new UploadStates(context.environment.stateDir);
    const identity = await identify(invocation, vault.vaultId);
    const found = invocation.has('restart') ? undefined : states.find(identity);
    const ingot_id = await transfer(context, vault, states, identity, found);
    await assertUnchanged(identity);
    states.remove(identity);
    const { name, size: size_bytes, vault_id } = identity;
    const status = await statusOf(vault, ingot_id);
    context.output.result({ vault_id, ingot_id, name, size_bytes, status }, ingot_id);
    context.output.note(`Uploaded ${name}, ${bytesText(size_bytes)}.`);
  },
};

async function identify(invocation: Invocation, vault_id: string): Promise<UploadIdentity> {
  const path = resolve(invocation.argument('file'));
  const file = await stat(path);
  if (!file.isFile()) throw new CliError(`${path} is not a file.`);
  if (file.size === 0) throw new CliError(`${path} is empty. A vault stores no empty files.`);
  return {
    url: invocation.context.api.url,
    vault_id,
    path,
    name: invocation.option('name') ?? basename(path),
    folder_path: invocation.option('folder'),
    size: file.size,
    mtime_ms: file.mtimeMs,
  };
}

/** Sends the rest of a begun upload, or the whole file. Returns the id of the ingot. */
async function transfer(
  context: CliContext,
  vault: OpenVault,
  states: UploadStates,
  identity: UploadIdentity,
  found: UploadState | undefined,
): Promise<string> {
  if (!found) return sendNew(context, vault, states, identity);
  try {
    context.output.note(`Resuming the upload of ${identity.name}.`);
    await send(context, identity, { endpoint: '', uploadUrl: found.upload_url, onUrl: () => undefined });
    return found.ingot_id;
  } catch (error) {
    if (!(error instanceof UploadGone)) throw error;
    context.output.note('The earlier upload has expired or was replaced: starting over.');
    return sendNew(context, vault, states, identity);
  }
}

async function sendNew(
  context: CliContext,
  { client, vaultId }: OpenVault,
  states: UploadStates,
  identity: UploadIdentity,
): Promise<string> {
  const { name, size: size_bytes, folder_path } = identity;
  const body = { name, size_bytes, folder_path, content_type: mediaTypeOf(name) };
  const params = { path: { vault_id: vaultId } };
  const { data } = await client.POST('/v1/vaults/{vault_id}/ingots', { params, body });
  const { ingot_id, forge_url: endpoint } = data;
  const saved: Promise<void>[] = [];
  const onUrl = (upload_url: string) => void saved.push(states.save({ ...identity, ingot_id, upload_url }));
  await send(context, identity, { endpoint, onUrl });
  await Promise.all(saved);
  return ingot_id;
}

async function send(
  { output, signal }: CliContext,
  { path, name }: UploadIdentity,
  target: { readonly endpoint: string; readonly uploadUrl?: string; readonly onUrl: (url: string) => void },
): Promise<void> {
  const bar = new ProgressBar(output.stderr, name);
  const onProgress = (bytes: number, total: number) => bar.update(bytes, total);
  try {
    await sendByTus({ path, signal, onProgress, ...target });
  } catch (error) {
    if (!signal.aborted) throw error;
    bar.end();
    throw new Interrupted('Interrupted. Run the same command again to resume.');
  } finally {
    bar.end();
  }
}

/** The server would otherwise have the first half of one version and the second half of another. */
async function assertUnchanged({ path, size, mtime_ms }: UploadIdentity): Promise<void> {
  const now = await stat(path);
  if (now.size !== size || now.mtimeMs !== mtime_ms)
    throw new CliError(`${path} was changed during the upload. Upload it again with --restart.`);
}

/** `uploading` for a moment if a service was down when the last byte arrived. */
async function statusOf({ client, vaultId: vault_id }: OpenVault, ingot_id: string): Promise<string> {
  const params = { path: { vault_id, ingot_id } };
  return (await client.GET('/v1/vaults/{vault_id}/ingots/{ingot_id}', { params })).data.status;
}
