import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { upload } from '@vaultsvc/client';
import { fileSource } from '@vaultsvc/client/node';
import type { Invocation } from '../command-line/invocation.js';
import { CliError, UsageError } from '../failures.js';
import {
  FolderTransfer,
  isSameContent,
  noteTransferred,
  readIngotState,
} from '../folders/folder-transfer.js';
import { localFiles, type LocalEntry } from '../folders/local-files.js';
import { TransferJournal } from '../folders/transfer-journal.js';
import { joined, parentOf, trimmed, VaultTree } from '../folders/vault-tree.js';
import { mediaTypeOf } from '../media-type.js';
import { resumableUploads } from '../transfers/resumable-uploads.js';
import { withProgress } from '../transfers/transfer-progress.js';
import { withOpenVault, type OpenVault } from './vault-access.js';

/** Where the files of a folder go, and which are there. */
interface Destination {
  readonly folder: string;
  readonly tree: VaultTree;
  readonly journal: TransferJournal;
}

/** Uploads a folder with all that it holds. Files of the vault are never replaced. */
export async function uploadFolder(invocation: Invocation): Promise<number> {
  const { context } = invocation;
  const root = resolve(invocation.argument('file'));
  if (!(await stat(root)).isDirectory())
    throw new UsageError(`${root} is no folder. Upload it without --recursive.`);
  const folder = joined(
    trimmed(invocation.option('folder') ?? ''),
    invocation.option('name') ?? basename(root),
  );
  const reference = invocation.argument('vault');
  const { vaultId, tree } = await withOpenVault(context, reference, async (vault) => ({
    vaultId: vault.vaultId,
    tree: await VaultTree.load(vault),
  }));
  const journal = await TransferJournal.open(context.environment.stateDir, ['upload', vaultId, folder, root]);
  const transfer = new FolderTransfer(context);
  await transfer.run(async () => {
    for await (const entry of localFiles(root)) {
      if (entry.problem !== undefined) transfer.fail(entry.path, entry.problem);
      else
        await transfer.file(entry.path, () =>
          // Again for each file: a token may expire meanwhile.
          withOpenVault(context, vaultId, (vault) =>
            uploadEntry(invocation, vault, entry, { folder, tree, journal }),
          ),
        );
    }
  }, 'Uploaded');
  return transfer.finish('Uploaded', { vault_id: vaultId, folder });
}

async function uploadEntry(
  invocation: Invocation,
  vault: OpenVault,
  entry: LocalEntry,
  { folder, tree, journal }: Destination,
): Promise<number | undefined> {
  const path = joined(folder, entry.path);
  const existing = tree.file(path);
  // An upload that was not completed has no content that could be replaced.
  if (existing && existing.status === 'active') {
    if (await isSameContent(entry, await readIngotState(vault, existing.ingot_id), journal)) return undefined;
    throw new CliError('exists in the vault with other content, and is not replaced');
  }
  const source = await fileSource(entry.absolute);
  if (source.size === 0) throw new CliError('is empty. A vault stores no empty files');
  const { ingotId, size } = await send(invocation, vault, source, path);
  await noteTransferred(entry, await readIngotState(vault, ingotId), journal);
  return size;
}

function send(
  invocation: Invocation,
  vault: OpenVault,
  source: Awaited<ReturnType<typeof fileSource>>,
  path: string,
) {
  const { context } = invocation;
  const [folderPath, name] = [parentOf(path), source.name ?? ''];
  const resume = resumableUploads(context.environment.stateDir, invocation.has('restart'), () =>
    context.output.note(`Resuming the upload of ${path}.`),
  );
  return withProgress(context, path, 'Run the same command again to resume.', (onProgress, onCompared) =>
    upload(vault, source, {
      name,
      contentType: mediaTypeOf(name),
      folderPath,
      onProgress,
      onCompared,
      resume,
      signal: context.signal,
    }),
  );
}
