import { download } from '@vaultsvc/client';
import type { Command } from '../command-line/command.js';
import { VaultTree } from '../folders/vault-tree.js';
import { UsageError } from '../failures.js';
import { ingotReference } from './download-command.js';
import { withOpenVault, type OpenVault } from './vault-access.js';

/** `vaultsvc cat` */
export const catCommand: Command = {
  name: 'cat',
  summary: 'Prints the content of a file of a vault.',
  arguments: [
    { name: 'vault', summary: 'Name or id of an open vault.' },
    { name: 'file', summary: 'The name, the path or the id of the file.' },
  ],
  notes: [
    'A pipe or a file gets the bytes as they are. On a terminal, characters that could control it are written out.',
  ],
  examples: [
    ['A note', 'vaultsvc cat team notes/monday.txt'],
    ['The first lines of a table', 'vaultsvc cat team sales.csv | head'],
  ],
  run: async (invocation) => {
    const { context } = invocation;
    const { output, signal } = context;
    if (output.isJson) throw new UsageError('cat prints bytes and has no --json.');
    await withOpenVault(context, invocation.argument('vault'), async (vault) => {
      const ingot = await ingotOf(vault, invocation.argument('file'));
      const { body } = await download(vault, ingot, { signal });
      await output.stream(body as unknown as AsyncIterable<Uint8Array>, signal);
    });
  },
};

/** A name alone is found in all folders by the API, a path by its folders. */
async function ingotOf(vault: OpenVault, path: string): Promise<string> {
  if (!path.includes('/')) return ingotReference(path);
  return (await VaultTree.load(vault)).fileAt(path).ingot_id;
}
