import { rm } from 'node:fs/promises';
import type { CliContext } from '../cli-context.js';
import type { Command } from '../command-line/command.js';
import { CliError } from '../command-line/failures.js';
import { DownloadStates, type DownloadState } from '../storage/download-state.js';
import { bytesText } from '../terminal/progress-bar.js';
import { downloadPath, downloadRest, partSize, publish } from '../transfers/download-file.js';
import { openVault, type OpenVault } from './vault-access.js';

/** `vaultsvc download` */
export const downloadCommand: Command = {
  name: 'download',
  summary: 'Downloads a file from a vault; run it again to resume.',
  arguments: [
    { name: 'vault', summary: 'Name or id of an open vault.' },
    { name: 'file', summary: 'The name of the file in the vault, or its id.' },
  ],
  options: { out: { value: 'file', summary: 'Where to write it. The default is its name.', isFile: true } },
  notes: [
    'Bytes are written to <file>.part, which gets its name when it is complete. Existing files are not overwritten.',
  ],
  examples: [
    ['Into this folder', 'vaultsvc download backups db.dump'],
    ['To another place', 'vaultsvc download backups db.dump --out /tmp/db.dump'],
  ],
  run: async (invocation) => {
    const { context } = invocation;
    const vault = await openVault(context, invocation.argument('vault'));
    const ingot_id = ingotReference(invocation.argument('file'));
    const ingot = await readIngot(vault, ingot_id);
    const path = downloadPath(ingot.name, invocation.option('out'));
    await download(context, vault, ingot, `${path}.part`);
    await publish(`${path}.part`, path);
    const { name, size_bytes } = ingot;
    context.output.result(
      { vault_id: vault.vaultId, ingot_id: ingot.ingot_id, name, size_bytes, path },
      path,
    );
    context.output.note(`Downloaded ${bytesText(size_bytes)}.`);
  },
};

/** An id, or a colon and a name. */
export function ingotReference(text: string): string {
  return /^ing_[\w-]+$/.test(text) || text.startsWith(':') ? text : `:${text}`;
}

interface IngotFacts {
  readonly ingot_id: string;
  readonly name: string;
  readonly size_bytes: number;
  readonly updated_at: number;
}

async function readIngot({ client, vaultId: vault_id }: OpenVault, ingot_id: string): Promise<IngotFacts> {
  const params = { path: { vault_id, ingot_id } };
  return (await client.GET('/v1/vaults/{vault_id}/ingots/{ingot_id}', { params })).data;
}

async function download(
  context: CliContext,
  vault: OpenVault,
  ingot: IngotFacts,
  part: string,
): Promise<void> {
  const states = new DownloadStates(context.environment.stateDir);
  const state = stateOf(context, vault, ingot);
  await prepare(context, states, state, part);
  const params = { path: { vault_id: vault.vaultId, ingot_id: ingot.ingot_id } };
  const { data } = await vault.client.POST('/v1/vaults/{vault_id}/ingots/{ingot_id}/download', {
    params,
    body: { stream: true },
  });
  await downloadRest(context, { url: data.download_url, name: ingot.name, size: ingot.size_bytes }, part);
  const now = stateOf(context, vault, await readIngot(vault, ingot.ingot_id));
  states.remove(part);
  if (now.updated_at === state.updated_at && now.size_bytes === state.size_bytes) return;
  await rm(part, { force: true });
  throw new CliError('The file was replaced during the download. Download it again.');
}

/** Keeps a partial file of the same content, and deletes any other. */
async function prepare({ output }: CliContext, states: DownloadStates, state: DownloadState, part: string) {
  if (states.matches(part, state) && (await partSize(part)) > 0) {
    output.note('Resuming the download.');
    return;
  }
  await rm(part, { force: true });
  await states.save(part, state);
}

function stateOf({ api }: CliContext, { vaultId: vault_id }: OpenVault, ingot: IngotFacts): DownloadState {
  const { ingot_id, size_bytes, updated_at } = ingot;
  return { url: api.url, vault_id, ingot_id, size_bytes, updated_at };
}
