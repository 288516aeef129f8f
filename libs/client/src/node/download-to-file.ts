import { requestTicket, type VaultTicket } from '../transfer/download.js';
import type { VaultAccess } from '../transfer/vault-access.js';
import { alreadyExists, FileError } from './file-error.js';
import type { FillOptions } from './fill-part.js';
import { KeptDownload, type DownloadNote } from './kept-download.js';
import { PrivateFile } from './private-file.js';
import { canonicalPath, lockTarget, stateFile, stateFolder } from './state-folder.js';

/** The settings of `downloadToFile`. */
export interface FileDownloadOptions extends Pick<
  FillOptions,
  'onProgress' | 'onCompared' | 'onRestart' | 'signal' | 'fetch'
> {
  /** Where unfinished downloads are noted; `~/.local/state/vaultsvc` by default. */
  readonly stateFolder?: string;
}

/** The download that a part belongs to. */
interface VaultDownloadNote extends DownloadNote {
  readonly vaultId: string;
  readonly ingotId: string;
}

/** A complete download. */
export interface DownloadedFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  /** Undefined of releases of the service that do not name it. */
  readonly versionId: string | undefined;
  readonly contentHash: string | null;
  /** The time of the file, in seconds since the epoch; null: the vault knows none, and it has that of the download. */
  readonly modifiedAt: number | null;
  /** Whether the content was compared with the hash of its version; false for versions that have none. */
  readonly verified: boolean;
}

/**
 * Downloads a file to a path where nothing exists. Its bytes are in a part beside it until all of them are there and have the
 * hash of the version; a later call continues there, unless the file in the vault was replaced. The file gets the modification
 * time of the one that was uploaded.
 * @param ingot its id, or `:` and its name
 * @throws FileError if something exists at the path, or another process downloads to it
 */
export async function downloadToFile(
  vault: VaultAccess,
  ingot: string,
  path: string,
  options: FileDownloadOptions = {},
): Promise<DownloadedFile> {
  const folder = options.stateFolder ?? stateFolder();
  const target = await canonicalPath(path);
  const lock = await lockTarget(folder, target);
  try {
    const note = new PrivateFile<VaultDownloadNote>(stateFile(folder, 'downloads', target));
    const kept = await KeptDownload.open(note, target);
    const isComplete = await kept.isComplete();
    const ticket = await requestTicket(vault, ingot, options.signal);
    const verified = await save({ vault, ticket, kept, isComplete }, options);
    const { name, size, versionId, contentHash = null, modifiedAt = null } = ticket;
    return { path, name, size, versionId, contentHash, modifiedAt, verified };
  } finally {
    await lock.release();
  }
}

interface VaultDownload {
  readonly vault: VaultAccess;
  readonly ticket: VaultTicket;
  readonly kept: KeptDownload<VaultDownloadNote>;
  readonly isComplete: boolean;
}

async function save(
  { vault, ticket, kept, isComplete }: VaultDownload,
  options: FileDownloadOptions,
): Promise<boolean> {
  const { ingotId, size, versionId, contentHash } = ticket;
  const note = {
    target: kept.target,
    part: '',
    vaultId: vault.vaultId,
    ingotId,
    size,
    versionId,
    contentHash,
  };
  const isSame = isSameContent(kept.note, note);
  if (isComplete && !isSame) throw alreadyExists(kept.target);
  if (isComplete) return kept.forget().then(() => true);
  await kept.prepare(note, isSame);
  try {
    const renew = () => requestTicket(vault, ingotId, options.signal);
    return await kept.complete(ticket, { ...options, renew });
  } catch (error) {
    await kept.close();
    // Without the name of a version, no later run knows that the part is of the same one.
    const isUseless = versionId === undefined || !(await kept.hasBytes());
    if (isUseless && !isKept(error)) await kept.forget();
    throw error;
  }
}

function isSameContent(a: VaultDownloadNote | undefined, b: VaultDownloadNote): boolean {
  if (!a || b.versionId === undefined) return false;
  return (
    a.vaultId === b.vaultId && a.ingotId === b.ingotId && a.versionId === b.versionId && a.size === b.size
  );
}

/** Whether the part is the complete content, which the user was told of. */
function isKept(error: unknown): boolean {
  return error instanceof FileError && error.kept !== undefined;
}
