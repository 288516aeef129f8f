import type { ResumeStore } from './resume-store.js';
import { SourceError } from './source-error.js';
import { UploadRun } from './upload-run.js';
import { sourceOf, type Uploadable } from './upload-source.js';
import type { VaultAccess } from './vault-access.js';

/** How far a transfer is. */
export interface TransferProgress {
  readonly bytes: number;
  readonly total: number;
}

/** The settings of `upload`. */
export interface UploadOptions {
  /** The name in the vault; that of the File by default. A file with this name gets new content. */
  readonly name?: string;
  readonly contentType?: string;
  /** Folder names from the root, separated by `/`; missing folders are created. */
  readonly folderPath?: string;
  readonly folderId?: string;
  readonly onProgress?: (progress: TransferProgress) => void;
  /** How far the source is compared with what was sent: at the start of a resumed upload, and before its end if it was touched. */
  readonly onCompared?: (progress: TransferProgress) => void;
  /** Continues an upload that an earlier run began. */
  readonly resume?: ResumeStore;
  readonly signal?: AbortSignal;
}

/** A stored file. */
export interface UploadedFile {
  readonly ingotId: string;
  readonly name: string;
  readonly size: number;
  /** The hash of what was sent, as the API shows it. */
  readonly contentHash: string;
  /** Whether the vault names the same hash for what it stores; false where it names none. */
  readonly verified: boolean;
}

/** The largest file of the API. */
const BYTES_MAX = 5_497_558_138_880;

/**
 * Uploads a file in chunks of 50 MiB. Broken connections are retried from the last complete chunk; with a `resume` store, a
 * later call for the same vault, name and content continues too, in another process or after a reload of the page. A source
 * that changes meanwhile is an error before anything of it replaces the former content.
 * @throws ApiError, ConnectionError, SourceError or TransferError
 */
export async function upload(
  vault: VaultAccess,
  content: Uploadable,
  options: UploadOptions = {},
): Promise<UploadedFile> {
  const source = sourceOf(content);
  const name = options.name ?? source.name;
  if (name === undefined) throw new TypeError('The file needs a name.');
  if (source.size === 0) throw new SourceError('A vault stores no empty files: 1 byte at least.');
  if (source.size > BYTES_MAX)
    throw new SourceError(`A vault stores files of ${BYTES_MAX} bytes at most; this one has ${source.size}.`);
  const run = new UploadRun(vault, source, name, options);
  const unlock = await run.lock();
  try {
    return await run.run();
  } finally {
    await source.close?.();
    await unlock?.();
  }
}
