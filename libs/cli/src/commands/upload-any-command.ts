import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from '../command-line/command.js';
import type { Invocation } from '../command-line/invocation.js';
import { CliError, UsageError } from '../failures.js';
import { joined, trimmed, VaultTree } from '../folders/vault-tree.js';
import { uploadCommand } from './upload-command.js';
import { uploadFolder } from './upload-folder.js';
import { withOpenVault } from './vault-access.js';

/** `vaultsvc upload`, of a file, of the standard input, or with `--recursive` of a folder. */
export const uploadAnyCommand: Command = {
  ...uploadCommand,
  summary: 'Uploads a file or a folder to a vault; run it again to resume.',
  arguments: [
    { name: 'vault', summary: 'Name or id of an open vault.' },
    {
      name: 'file',
      summary: 'The file, or - for the standard input; with --recursive a folder.',
      isFile: true,
    },
  ],
  options: {
    ...uploadCommand.options,
    recursive: { summary: 'Upload a folder with all that it holds. Files in the vault are never replaced.' },
    'create-only': {
      summary: 'Refuse if the vault has a file of this name, instead of replacing its content.',
    },
  },
  notes: [
    ...(uploadCommand.notes ?? []),
    'With --recursive the folder keeps its name in the vault, or has that of --name. Symbolic links are not followed, empty\n' +
      'files and folders are not stored. What failed is listed, and the exit code is 1; the same command goes on.',
  ],
  examples: [
    ...uploadCommand.examples,
    ['A folder, into 2026/photos', 'vaultsvc upload backups photos --recursive --folder 2026'],
  ],
  run: async (invocation) => {
    if (invocation.has('recursive')) return uploadFolder(assertFolder(invocation));
    await assertNoFolder(invocation.argument('file'));
    if (invocation.has('create-only')) await assertNew(invocation);
    return uploadCommand.run(invocation);
  },
};

function assertFolder(invocation: Invocation): Invocation {
  if (invocation.argument('file') === '-')
    throw new UsageError('The standard input is no folder. Leave out --recursive.');
  return invocation;
}

async function assertNoFolder(file: string): Promise<void> {
  const isFolder = file !== '-' && (await stat(file).catch(() => undefined))?.isDirectory() === true;
  if (isFolder) throw new UsageError(`${file} is a folder. --recursive uploads it with all that it holds.`);
}

/** @throws CliError if the name is taken, before anything is read or sent */
async function assertNew(invocation: Invocation): Promise<void> {
  const file = invocation.argument('file');
  const name = invocation.option('name') ?? (file === '-' ? 'stdin' : basename(file));
  const path = joined(trimmed(invocation.option('folder') ?? ''), name);
  const tree = await withOpenVault(invocation.context, invocation.argument('vault'), (vault) =>
    VaultTree.load(vault),
  );
  const existing = tree.file(path);
  if (existing?.status === 'active')
    throw new CliError(
      `${existing.path} exists already in the vault. Without --create-only its content is replaced.`,
    );
}
