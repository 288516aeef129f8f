import { download } from '@vaultsvc/client';
import { downloadToFile } from '@vaultsvc/client/node';
import type { Command } from '../command-line/command.js';
import type { Invocation } from '../command-line/invocation.js';
import { bytesText } from '../terminal/progress-bar.js';
import { newFilePath } from '../transfers/new-file.js';
import { withProgress } from '../transfers/transfer-progress.js';
import { isStdout } from './out-option.js';
import { withOpenVault, type OpenVault } from './vault-access.js';

/** `vaultsvc download` */
export const downloadCommand: Command = {
  name: 'download',
  summary: 'Downloads a file from a vault; run it again to resume.',
  arguments: [
    { name: 'vault', summary: 'Name or id of an open vault.' },
    { name: 'file', summary: 'The name of the file in the vault, or its id.' },
  ],
  options: {
    out: {
      value: 'file',
      summary: 'Where to write it. The default is its name; - is the standard output.',
      isFile: true,
    },
  },
  notes: [
    'The file gets its name when it is complete and has the hash of its version; until then it is a file .vaultsvc-….part\n' +
      'in the same folder. Existing files are not overwritten. After a crash or Ctrl-C the same command goes on.',
  ],
  examples: [
    ['Into this folder', 'vaultsvc download backups db.dump'],
    ['Into a program', 'vaultsvc download backups site.tar --out - | tar x'],
    ['To another place', 'vaultsvc download backups db.dump --out /tmp/db.dump'],
  ],
  run: async (invocation) => {
    const { context } = invocation;
    const isPrinted = isStdout(invocation);
    const size = await withOpenVault(context, invocation.argument('vault'), (vault) =>
      isPrinted ? print(invocation, vault) : save(invocation, vault),
    );
    context.output.note(`Downloaded ${bytesText(size)}.`);
  },
};

async function save(invocation: Invocation, vault: OpenVault): Promise<number> {
  const { context } = invocation;
  const { ingot_id, name } = await readIngot(vault, ingotReference(invocation.argument('file')));
  const path = newFilePath(name, invocation.option('out'));
  const advice = 'Run the same command again to resume.';
  const onRestart = () => context.output.note('The unfinished file was changed meanwhile. Starting over.');
  const { signal, environment } = context;
  const { size, verified } = await withProgress(context, name, advice, (onProgress, onCompared) =>
    downloadToFile(vault, ingot_id, path, {
      onProgress,
      onCompared,
      onRestart,
      signal,
      stateFolder: environment.stateDir,
    }),
  );
  context.output.result({ vault_id: vault.vaultId, ingot_id, name, size_bytes: size, path, verified }, path);
  if (!verified) warnUnverified(invocation, name);
  return size;
}

function warnUnverified({ context }: Invocation, name: string): void {
  context.output.warn(`${name} is not verified: the server names no hash of its content.`);
}

/** What was printed cannot be taken back, so that it cannot be resumed. */
async function print(invocation: Invocation, vault: OpenVault): Promise<number> {
  const { output, signal } = invocation.context;
  const file = await download(vault, ingotReference(invocation.argument('file')), { signal });
  const { body, size, name, verified } = file;
  await output.stream(body as unknown as AsyncIterable<Uint8Array>, signal);
  if (!verified) warnUnverified(invocation, name);
  return size;
}

/** An id, or a colon and a name. */
export function ingotReference(text: string): string {
  return /^ing_[\w-]+$/.test(text) || text.startsWith(':') ? text : `:${text}`;
}

async function readIngot({ client, vaultId: vault_id }: OpenVault, ingot_id: string) {
  const params = { path: { vault_id, ingot_id } };
  return (await client.GET('/v1/vaults/{vault_id}/ingots/{ingot_id}', { params })).data;
}
