import type { Command } from '../command-line/command.js';
import { exitCodes } from '../exit-codes.js';
import { CliError, UsageError } from '../failures.js';
import {
  joined,
  parentOf,
  trimmed,
  VaultTree,
  type TreeFile,
  type TreeFolder,
} from '../folders/vault-tree.js';
import { withOpenVault, type OpenVault } from './vault-access.js';

/** `vaultsvc mv` */
export const mvCommand: Command = {
  name: 'mv',
  summary: 'Renames or moves a file or a folder within its vault.',
  arguments: [
    { name: 'vault', summary: 'Name or id of an open vault.' },
    { name: 'from', summary: 'The path or the id of a file or folder.' },
    {
      name: 'to',
      summary: 'The new path, or a folder that exists; / is the root of the vault.',
      field: 'name',
    },
  ],
  notes: ['Nothing is replaced: a name that is taken is refused. Links to a file stay valid.'],
  examples: [
    ['Another name', 'vaultsvc mv backups db.dump monday.dump'],
    ['Into a folder', 'vaultsvc mv backups db.dump 2026/11/'],
    ['A folder, to the root', 'vaultsvc mv backups 2026/11 /'],
  ],
  run: async (invocation) => {
    const { context } = invocation;
    const [from, to] = [invocation.argument('from'), invocation.argument('to')];
    const moved = await withOpenVault(context, invocation.argument('vault'), async (vault) => {
      const tree = await VaultTree.load(vault);
      const folder = tree.folder(from);
      const item = folder ?? tree.fileAt(from);
      const target = targetOf(tree, item.name, to);
      return folder ? moveFolder(vault, folder, target) : moveFile(vault, item as TreeFile, target);
    });
    context.output.result(moved, moved.path);
  },
};

interface Target {
  readonly parent: TreeFolder | undefined;
  readonly name: string;
}

/** A folder that exists is where the item goes; another path is its new one, whose folder must exist. */
function targetOf(tree: VaultTree, name: string, to: string): Target {
  const path = trimmed(to);
  const existing = tree.folder(to);
  if (path === '') return { parent: undefined, name };
  if (existing) return { parent: existing, name };
  if (to.endsWith('/')) throw new CliError(`There is no folder ${path}.`, exitCodes.gone);
  const parentPath = parentOf(path);
  const parent = parentPath === '' ? undefined : tree.folder(parentPath);
  if (parentPath !== '' && !parent) throw new CliError(`There is no folder ${parentPath}.`, exitCodes.gone);
  const last = path.slice(parentPath === '' ? 0 : parentPath.length + 1);
  if (last === '' || last === '.' || last === '..') throw new UsageError('The new path has no name.');
  return { parent, name: last };
}

async function moveFile({ client, vaultId: vault_id }: OpenVault, { ingot_id }: TreeFile, target: Target) {
  const options = {
    params: { path: { vault_id, ingot_id } },
    body: { name: target.name, folder_id: target.parent?.folder_id ?? null },
  };
  const { data } = await client.PATCH('/v1/vaults/{vault_id}/ingots/{ingot_id}', options);
  return { ...data, path: joined(target.parent?.path ?? '', data.name) };
}

async function moveFolder(
  { client, vaultId: vault_id }: OpenVault,
  { folder_id }: TreeFolder,
  target: Target,
) {
  const options = {
    params: { path: { vault_id, folder_id } },
    body: { name: target.name, parent_id: target.parent?.folder_id ?? null },
  };
  return (await client.PATCH('/v1/vaults/{vault_id}/folders/{folder_id}', options)).data;
}
