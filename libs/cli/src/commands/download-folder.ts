import { lstat, mkdir } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { downloadToFile } from '@vaultsvc/client/node';
import type { Invocation } from '../command-line/invocation.js';
import { CliError, UsageError } from '../failures.js';
import {
  FolderTransfer,
  isSameContent,
  noteTransferred,
  readIngotState,
} from '../folders/folder-transfer.js';
import { localNames, preparePath } from '../folders/local-path.js';
import { TransferJournal } from '../folders/transfer-journal.js';
import { trimmed, VaultTree, type TreeFile } from '../folders/vault-tree.js';
import { withProgress } from '../transfers/transfer-progress.js';
import { withOpenVault, type OpenVault } from './vault-access.js';

/** Downloads a folder of a vault with all that it holds. Local files are never replaced. */
export async function downloadFolder(invocation: Invocation): Promise<number> {
  const { context } = invocation;
  const reference = invocation.argument('vault');
  const path = invocation.argument('file');
  const { vaultId, tree } = await withOpenVault(context, reference, async (vault) => ({
    vaultId: vault.vaultId,
    tree: await VaultTree.load(vault),
  }));
  const folder = trimmed(path) === '' ? '' : folderOf(tree, path);
  const root = await makeRoot(invocation, folder === '' ? reference : basename(folder));
  const journal = await TransferJournal.open(context.environment.stateDir, [
    'download',
    vaultId,
    folder,
    root,
  ]);
  const transfer = new FolderTransfer(context);
  await transfer.run(async () => {
    for (const file of tree.below(folder).files.filter(isFile)) {
      const shown = folder === '' ? file.path : file.path.slice(folder.length + 1);
      await transfer.file(shown, () =>
        withOpenVault(context, vaultId, (vault) =>
          downloadFile(invocation, vault, file, { root, folder, shown, journal }),
        ),
      );
    }
  }, 'Downloaded');
  return transfer.finish('Downloaded', { vault_id: vaultId, folder, path: root });
}

/** Sets of secrets are no files. */
const isFile = ({ managed_by }: TreeFile) => managed_by === null;

function folderOf(tree: VaultTree, path: string): string {
  if (!tree.folder(path) && tree.file(path))
    throw new UsageError(`${trimmed(path)} is a file. Download it without --recursive.`);
  return tree.folderPath(path);
}

async function makeRoot(invocation: Invocation, name: string): Promise<string> {
  const out = invocation.option('out');
  if (out === '-') throw new UsageError('A folder cannot go to the standard output.');
  const root = out === undefined ? resolve(...localNames('', name)) : resolve(out);
  await mkdir(root, { recursive: true, mode: 0o700 });
  return root;
}

interface Target {
  readonly root: string;
  readonly folder: string;
  readonly shown: string;
  readonly journal: TransferJournal;
}

async function downloadFile(
  { context }: Invocation,
  vault: OpenVault,
  file: TreeFile,
  { root, folder, shown, journal }: Target,
): Promise<number | undefined> {
  if (file.status !== 'active') throw new CliError('has no content yet: its upload is not complete');
  const inner = folder === '' ? file.folder : file.folder.slice(folder.length + 1);
  const absolute = await preparePath(root, localNames(inner, file.name));
  const local = { path: shown, absolute };
  const existing = await lstat(absolute).catch(() => undefined);
  const ingot = await readIngotState(vault, file.ingot_id);
  if (existing) {
    if (existing.isFile() && (await isSameContent(local, ingot, journal))) return undefined;
    throw new CliError(`exists already as ${absolute}, and is not replaced`);
  }
  const advice = 'Run the same command again to resume.';
  const { size } = await withProgress(context, shown, advice, (onProgress, onCompared) =>
    downloadToFile(vault, file.ingot_id, absolute, {
      onProgress,
      onCompared,
      signal: context.signal,
      stateFolder: context.environment.stateDir,
    }),
  );
  await noteTransferred(local, ingot, journal);
  return size;
}
