import { TransferError } from './transfer-error.js';

/** A download URL of one version of a file. Whoever has the URL can read the file. */
export interface DownloadTicket {
  readonly url: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** Undefined of releases that do not name it. */
  readonly versionId?: string;
  /** `content_hash` of the API; null or undefined of versions that have none. */
  readonly contentHash?: string | null;
  /** When the file was last modified, in seconds since the epoch; null or undefined if that is not known. */
  readonly modifiedAt?: number | null;
}

/** The error of a file that was replaced while it was downloaded. */
export function replaced(): TransferError {
  return new TransferError('The file was replaced. Download it again.');
}

/** @throws TransferError if the tickets may be of different versions */
export function assertSameVersion(a: DownloadTicket, b: DownloadTicket): void {
  if (a.size !== b.size || a.versionId !== b.versionId || (a.contentHash ?? null) !== (b.contentHash ?? null))
    throw replaced();
  if (a.versionId === undefined)
    throw new TransferError(
      'The download URL has ended, and this server does not tell whether another one is of the same content. Download it again.',
    );
}
