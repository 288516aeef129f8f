import { AppError } from '@vaultsvc/contracts';
import type { FileVersion } from '@vaultsvc/crypto/container';
import { lookupHash, parseBearer } from '@vaultsvc/crypto/tokens';

/** An upload as its row was read. */
export interface Upload {
  readonly lookup: Buffer;
  readonly file: FileVersion;
  readonly offsetBytes: number;
  /** The file key, wrapped under the upload id; null once the upload is finished. */
  readonly wrappedKey: Buffer | null;
}

/** The bytes of an upload id, and the hash that finds its row. */
export interface UploadSecret {
  readonly secret: Buffer;
  readonly lookup: Buffer;
}

/** Throws UPLOAD_NOT_FOUND for a malformed id, as for an unknown one (OPEN-55). */
export function uploadSecretOf(uploadId: string): UploadSecret {
  const secret = parseBearer(uploadId);
  if (!secret) throw new AppError('UPLOAD_NOT_FOUND');
  return { secret, lookup: lookupHash('upload', secret) };
}
