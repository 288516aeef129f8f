import { createReadStream } from 'node:fs';
import { DetailedError, Upload } from 'tus-js-client';

/** Forge accepts chunks of this size only (docs/files.md). */
const CHUNK_BYTES = 52_428_800;
/** Longer than a restart of the backend. */
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** How often an upload continues after a lost response, which makes the offset of the next chunk wrong. */
const CONTINUATIONS_MAX = 5;

/** A file on its way to Forge. */
export interface TusUpload {
  readonly path: string;
  /** Where a new upload is created. */
  readonly endpoint: string;
  /** The URL of an upload that was begun before. */
  readonly uploadUrl?: string;
  readonly signal: AbortSignal;
  /** Called before the first byte is sent. */
  readonly onUrl: (url: string) => void;
  readonly onProgress: (bytes: number, total: number) => void;
}

/** The upload does not exist any more: it was cancelled, expired or superseded. */
export class UploadGone extends Error {
  override readonly name = 'UploadGone';
}

/** Sends a file, from the offset that the server has. @throws UploadGone */
export async function sendByTus(upload: TusUpload): Promise<void> {
  let { uploadUrl } = upload;
  const onUrl = (url: string) => {
    uploadUrl = url;
    upload.onUrl(url);
  };
  for (let continuation = 0; ; continuation++) {
    try {
      return await attempt({ ...upload, uploadUrl, onUrl });
    } catch (error) {
      const isOffsetWrong = statusOf(error) === 400 && uploadUrl !== undefined;
      if (!isOffsetWrong || continuation >= CONTINUATIONS_MAX) throw failureOf(error);
    }
  }
}

function attempt({ path, endpoint, uploadUrl, signal, onUrl, onProgress }: TusUpload): Promise<void> {
  return new Promise((resolve, reject) => {
    // tus-js-client opens the file again for each chunk; of this stream it uses the path.
    const upload: Upload = new Upload(createReadStream(path), {
      // With an endpoint it would create another upload in place of one that is gone, and the URL works once.
      ...(uploadUrl === undefined ? { endpoint } : { uploadUrl }),
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_DELAYS_MS,
      storeFingerprintForResuming: false,
      onProgress: (bytes, total) => onProgress(bytes, total ?? 0),
      onUploadUrlAvailable: () => upload.url && onUrl(upload.url),
      onSuccess: () => resolve(),
      onError: reject,
    });
    const stop = () => void upload.abort().finally(() => reject(signal.reason as Error));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    else upload.start();
  });
}

function statusOf(error: unknown): number | undefined {
  return error instanceof DetailedError ? error.originalResponse?.getStatus() : undefined;
}

/** Messages of tus-js-client contain the URL, which is a credential. */
function failureOf(error: unknown): Error {
  const status = statusOf(error);
  if (status === 404 || status === 410) return new UploadGone('This upload does not exist any more.');
  if (!(error instanceof DetailedError)) return error as Error;
  const why =
    status === undefined ? 'the server cannot be reached' : `the server answers with status ${status}`;
  return new Error(`The upload failed: ${why}.`);
}
