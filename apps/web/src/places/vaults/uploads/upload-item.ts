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
  /** Epoch seconds until which the API wants no more requests. */
  readonly pausedUntil: number;
}

export const isOver = ({ status }: UploadItem): boolean =>
  status === 'done' || status === 'failed' || status === 'cancelled';
