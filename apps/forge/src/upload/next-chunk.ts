import { AppError } from '@vaultsvc/contracts';
import { type Checksum, CHUNK_BYTES, chunkBytes } from '@vaultsvc/crypto/container';
import type { ForgeExchange } from '../exchange/forge-exchange.js';
import { assertChecksumOfNothing } from '../tus/upload-checksum.js';
import type { ChunkRace } from './chunk-races.js';
import { assertEmptyBody } from './upload-body.js';
import type { Upload } from './upload.js';

/** The headers of a chunk, parsed. */
export interface SentChunk {
  readonly offset: number;
  readonly checksum: Checksum | undefined;
}

/** The next chunk of an upload, with the key that seals it. */
export interface NextChunk {
  readonly upload: Upload;
  readonly wrappedKey: Buffer;
  readonly chunk: number;
  readonly bytes: number;
  /** The checksum that the sender announced. */
  readonly checksum: Checksum | undefined;
}

/**
 * tus-java-client opens a request before it reads its source: at the end of a file whose last chunk was full it has no bytes
 * left to send, and would report a failure for another answer than 204.
 */
export function isAfterEnd({ wrappedKey, offsetBytes }: Upload, { offset }: SentChunk): boolean {
  return wrappedKey === null && offset === offsetBytes;
}

/** Throws 400 for a body after the end, and for a checksum that is not that of no bytes. */
export async function assertNothingSent(
  exchange: ForgeExchange,
  { offsetBytes }: Upload,
  { checksum }: SentChunk,
): Promise<void> {
  const declared = exchange.request.headers['content-length'];
  if (declared !== undefined && Number(declared) !== 0)
    throw offsetWrong('is the end of this upload, which is complete', offsetBytes);
  await assertEmptyBody(exchange);
  assertChecksumOfNothing(checksum);
}

/**
 * Throws for another offset than the upload's. tus answers it with 409; here 409 is for the losers of a race, and 400 for
 * an offset that was wrong before it (FRG-08, AMB-26).
 */
export function nextChunkOf(
  upload: Upload,
  { offset, checksum }: SentChunk,
  { isDecided }: ChunkRace,
): NextChunk {
  const { file, offsetBytes, wrappedKey } = upload;
  if (offset < offsetBytes && isDecided) throw new AppError('UPLOAD_OFFSET_TAKEN');
  if (offset !== offsetBytes || !wrappedKey) throw offsetWrong(`must be ${offsetBytes}`, offsetBytes);
  const chunk = offset / CHUNK_BYTES;
  return { upload, wrappedKey, chunk, bytes: chunkBytes(file.bytes, chunk), checksum };
}

function offsetWrong(message: string, offsetBytes: number): AppError {
  const fields = [{ field: 'Upload-Offset', message }];
  return new AppError('VALIDATION_ERROR', { fields, upload_offset: offsetBytes });
}
