import type { Command } from '../command-line/command.js';
import type { Invocation } from '../command-line/invocation.js';
import { splitVaultPath } from '../folders/vault-path.js';
import { VaultTree, type TreeFile, type TreeFolder } from '../folders/vault-tree.js';
import { bytesText } from '../terminal/progress-bar.js';
import { printTable, type Column } from '../terminal/table.js';
import { timeText } from '../terminal/time-text.js';
import { withOpenVault } from './vault-access.js';
import { vaultListCommand } from './vault-list-command.js';

interface Entry {
  readonly id: string;
  /** Of a folder it ends with a slash. */
  readonly name: string;
  readonly size: number | undefined;
  readonly updated_at: number;
  readonly content: string;
}

const nameColumn: Column<Entry> = { heading: 'NAME', text: ({ name }) => name };
const longColumns: readonly Column<Entry>[] = [
  { heading: 'SIZE', text: ({ size }) => (size === undefined ? '-' : bytesText(size)), isNumber: true },
  { heading: 'CHANGED', text: ({ updated_at }) => timeText(updated_at) },
  { heading: 'CONTENT', text: ({ content }) => content },
  { heading: 'ID', text: ({ id }) => id },
  nameColumn,
];

/** `vaultsvc ls` */
export const lsCommand: Command = {
  name: 'ls',
  summary: 'Lists the files and folders of a vault, or the vaults.',
  arguments: [
    {
      name: 'vault',
      summary: 'Name or id of an open vault, and a folder after a colon. Without it, the vaults are listed.',
      isOptional: true,
    },
  ],
  options: {
    long: { summary: 'Also show size, time of the last change, kind and id.' },
    recursive: { summary: 'Also list what is in the folders, with paths.' },
    name: {
      summary: 'Only files whose names contain this text, in any case, also those in folders, with paths.',
      value: 'text',
      field: 'contains',
    },
  },
  notes: ['Names of folders end with a slash.'],
  examples: [
    ['The vaults', 'vaultsvc ls'],
    ['A folder', 'vaultsvc ls backups:2026/11 --long'],
    ['Everything', 'vaultsvc ls backups --recursive'],
    ['Files by a part of the name', 'vaultsvc ls backups --name invoice'],
  ],
  run: async (invocation) => {
    const target = invocation.optionalArgument('vault');
    if (target === undefined) return vaultListCommand.run(invocation);
    const { vault: reference, path = '' } = splitVaultPath(target);
    const { output } = invocation.context;
    const name = invocation.option('name');
    const { vault_id, tree } = await withOpenVault(invocation.context, reference, async (vault) => ({
      vault_id: vault.vaultId,
      tree: await VaultTree.load(vault, name),
    }));
    const folder = tree.folderPath(path);
    const isRecursive = name !== undefined || invocation.has('recursive');
    const content = isRecursive ? tree.below(folder) : tree.contentOf(folder);
    const { folders, files } = name === undefined ? content : { ...content, folders: [] };
    const entries = [...folders.map(folderEntry), ...files.map(fileEntry)].map((entry) => ({
      ...entry,
      name: shownName(entry.name, folder),
    }));
    printTable(
      output,
      { vault_id, folder, folders, files },
      isRecursive ? entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)) : entries,
      columnsOf(invocation),
    );
  },
};

const folderEntry = ({ folder_id: id, path, updated_at }: TreeFolder): Entry => ({
  id,
  name: `${path}/`,
  size: undefined,
  updated_at,
  content: 'folder',
});

const fileEntry = ({ ingot_id: id, path, size_bytes, updated_at, ...file }: TreeFile): Entry => ({
  id,
  name: path,
  size: size_bytes,
  updated_at,
  content: file.status === 'active' ? (file.managed_by ?? file.content_type) : file.status,
});

/** The path from the folder that is listed. */
function shownName(path: string, folder: string): string {
  return folder === '' ? path : path.slice(folder.length + 1);
}

function columnsOf(invocation: Invocation): readonly Column<Entry>[] {
  if (invocation.has('long')) return longColumns;
  // Names alone have no heading.
  return [{ ...nameColumn, heading: '' }];
}
