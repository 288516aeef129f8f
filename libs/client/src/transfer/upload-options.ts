import type { ResumeStore } from './resume-store.js';
import type { TransferProgress } from './transfer-progress.js';

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
