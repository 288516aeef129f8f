/** How far a transfer is. */
export interface TransferProgress {
  readonly bytes: number;
  readonly total: number;
}
