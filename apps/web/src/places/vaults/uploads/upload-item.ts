export type UploadStatus = 'waiting' | 'paused' | 'sending' | 'done' | 'failed' | 'cancelling' | 'cancelled';

/** An upload as the list shows it. */
export interface UploadItem {
  readonly id: string;
  readonly vaultId: string;
  readonly file: File;
  readonly name: string;
  /** Of an existing folder; null: the root. */
  readonly folderId: string | null;
  /** Instead of the id: a path from the root, whose missing folders are created. */
  readonly folderPath: string | undefined;
  readonly status: UploadStatus;
  readonly sent: number;
  readonly problem: string | undefined;
  /** Whether billing is where the person goes on: a pool is full, or the plan not active. */
  readonly isUnpaid: boolean;
  /** Epoch seconds until which the API wants no more requests. */
  readonly pausedUntil: number;
  /** Once it is done. */
  readonly stored: StoredContent | undefined;
}

/** The file of the vault, and the hash of what was sent. */
export interface StoredContent {
  readonly ingotId: string;
  readonly contentHash: string;
}

export const isOver = ({ status }: UploadItem): boolean =>
  status === 'done' || status === 'failed' || status === 'cancelled';
