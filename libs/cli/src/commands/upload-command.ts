import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { upload } from '@vaultsvc/client';
import { fileSource } from '@vaultsvc/client/node';
import type { Command } from '../command-line/command.js';
import { CliError } from '../failures.js';
import type { Invocation } from '../command-line/invocation.js';
import { mediaTypeOf } from '../media-type.js';
import { bytesText } from '../terminal/progress-bar.js';
import { resumableUploads } from '../transfers/resumable-uploads.js';
import { withProgress } from '../transfers/transfer-progress.js';
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
    const { output } = invocation.context;
    const path = resolve(invocation.argument('file'));
    const before = await statFile(path);
    const vault = await openVault(invocation.context, invocation.argument('vault'));
    const { ingotId: ingot_id, name, size: size_bytes } = await send(invocation, vault, path);
    await assertUnchanged(path, before);
    const status = await statusOf(vault, ingot_id);
    output.result({ vault_id: vault.vaultId, ingot_id, name, size_bytes, status }, ingot_id);
    output.note(`Uploaded ${name}, ${bytesText(size_bytes)}.`);
  },
};

interface FileState {
  readonly size: number;
  readonly mtimeMs: number;
}

async function statFile(path: string): Promise<FileState> {
  const file = await stat(path);
  if (!file.isFile()) throw new CliError(`${path} is not a file.`);
  if (file.size === 0) throw new CliError(`${path} is empty. A vault stores no empty files.`);
  return file;
}

async function send(invocation: Invocation, vault: OpenVault, path: string) {
  const { context } = invocation;
  const name = invocation.option('name') ?? basename(path);
  const resume = resumableUploads(context.environment.stateDir, invocation.has('restart'), () =>
    context.output.note(`Resuming the upload of ${name}.`),
  );
  const source = await fileSource(path);
  const advice = 'Run the same command again to resume.';
  return withProgress(context, name, advice, (onProgress) =>
    upload(vault, source, {
      name,
      contentType: mediaTypeOf(name),
      folderPath: invocation.option('folder'),
      onProgress,
      resume,
      signal: context.signal,
    }),
  );
}

/** The server would otherwise have the first half of one version and the second half of another. */
async function assertUnchanged(path: string, { size, mtimeMs }: FileState): Promise<void> {
  const now = await stat(path);
  if (now.size !== size || now.mtimeMs !== mtimeMs)
    throw new CliError(`${path} was changed during the upload. Upload it again.`);
}

/** `uploading` for a moment if a service was down when the last byte arrived. */
async function statusOf({ client, vaultId: vault_id }: OpenVault, ingot_id: string): Promise<string> {
  const params = { path: { vault_id, ingot_id } };
  return (await client.GET('/v1/vaults/{vault_id}/ingots/{ingot_id}', { params })).data.status;
}
