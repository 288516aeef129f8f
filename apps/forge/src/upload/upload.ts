import { AppError } from '@vaultsvc/contracts';
import type { FileVersion } from '@vaultsvc/crypto/container';
import { lookupHash, parseBearer } from '@vaultsvc/crypto/tokens';

/** One upload as its row stands. */
export interface Upload {
  readonly lookup: Buffer;
  readonly file: FileVersion;
  readonly offsetBytes: number;
  /** The file's key under the upload's id; null once all bytes are there. */
  readonly wrappedKey: Buffer | null;
}

/** The bytes of an upload's id, and what it is found by. */
export interface UploadSecret {
  readonly secret: Buffer;
  readonly lookup: Buffer;
}

/** Throws UPLOAD_NOT_FOUND: a malformed id answers as an unknown one (OPEN-55). */
export function uploadSecretOf(uploadId: string): UploadSecret {
  const secret = parseBearer(uploadId);
  if (!secret) throw new AppError('UPLOAD_NOT_FOUND');
  return { secret, lookup: lookupHash('upload', secret) };
}
