import type { Command } from '../command-line/command.js';
import type { Invocation } from '../command-line/invocation.js';
import { UsageError } from '../failures.js';
import { VaultTree, type TreeFile, type TreeFolder } from '../folders/vault-tree.js';
import { confirmed, yesOption } from './confirmation.js';
import { withOpenVault, type OpenVault } from './vault-access.js';

/** `vaultsvc rm` */
export const rmCommand: Command = {
  name: 'rm',
  summary: 'Deletes files of a vault, or folders with all that they hold.',
  arguments: [
    { name: 'vault', summary: 'Name or id of an open vault.' },
    { name: 'path', summary: 'Paths or ids of files and folders.', isRepeated: true },
  ],
  options: {
    recursive: { summary: 'Delete folders, and the files and folders in them.' },
    ...yesOption,
  },
  notes: ['The content is gone for good, with all versions and links of it.'],
  examples: [
    ['A file', 'vaultsvc rm backups 2026/11/monday.dump'],
    ['A folder, in a script', 'vaultsvc rm backups 2026/10 --recursive --yes'],
  ],
  run: async (invocation) => {
    const { context } = invocation;
    const { files, folders } = await withOpenVault(context, invocation.argument('vault'), async (vault) => {
      const found = deletionsOf(invocation, await VaultTree.load(vault));
      await confirmed(invocation, `Delete ${countText(found)}?`);
      await removeAll(invocation, vault, found);
      return found;
    });
    const paths = (list: readonly { readonly path: string }[]) => list.map(({ path }) => path);
    context.output.result({ deleted: { files: paths(files), folders: paths(folders) } }, '');
    context.output.note(`Deleted ${countText({ files, folders })}.`);
  },
};

interface Deletions {
  readonly files: readonly TreeFile[];
  /** What is in a folder comes before it. */
  readonly folders: readonly TreeFolder[];
}

function deletionsOf(invocation: Invocation, tree: VaultTree): Deletions {
  const [files, folders] = [new Set<TreeFile>(), new Set<TreeFolder>()];
  for (const path of invocation.argumentList('path')) {
    const folder = tree.folder(path);
    if (!folder) {
      files.add(tree.fileAt(path));
      continue;
    }
    if (!invocation.has('recursive'))
      throw new UsageError(`${folder.path} is a folder. --recursive deletes it with all that it holds.`);
    const below = tree.below(folder.path);
    for (const file of below.files) files.add(file);
    for (const one of [folder, ...below.folders]) folders.add(one);
  }
  const deepestFirst = [...folders].toSorted((a, b) => b.path.split('/').length - a.path.split('/').length);
  return { files: [...files], folders: deepestFirst };
}

/** Files first: a folder must be empty. */
async function removeAll(
  { context: { output } }: Invocation,
  { client, vaultId: vault_id }: OpenVault,
  { files, folders }: Deletions,
): Promise<void> {
  let count = 0;
  try {
    for (const { ingot_id } of files) {
      const params = { path: { vault_id, ingot_id } };
      await client.DELETE('/v1/vaults/{vault_id}/ingots/{ingot_id}', { params });
      count += 1;
    }
    for (const { folder_id } of folders) {
      const params = { path: { vault_id, folder_id } };
      await client.DELETE('/v1/vaults/{vault_id}/folders/{folder_id}', { params });
      count += 1;
    }
  } catch (error) {
    output.note(`Deleted ${count} of ${files.length + folders.length}.`);
    throw error;
  }
}

/** The path of a single item, otherwise figures. */
function countText({ files, folders }: Deletions): string {
  const [one, ...others] = [...files, ...folders];
  if (one && others.length === 0) return one.path;
  const parts = [counted(files.length, 'file'), counted(folders.length, 'folder')];
  return parts.filter((part) => part !== '').join(' and ');
}

function counted(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`;
}
