import type { ReadStream } from 'node:fs';
import { DetailedError, Upload } from 'tus-js-client';

/** The size of Forge's chunks (FRG-11). */
export const CHUNK_BYTES = 52_428_800;

/** Tries again for 60 seconds. */
export const retryDelays = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 21_000];

export interface TusUploadOptions {
  /** Of an upload that was interrupted: it goes on from the server's offset, and `forgeUrl` is not asked again. */
  readonly uploadUrl?: string;
  /** Ends the connection as soon as so many bytes of the whole are on their way. */
  readonly interruptAfterBytes?: number;
  /** Called with every request and its answer; null when there was none. */
  readonly onRequest?: (method: string, status: number, uploadOffset: string | undefined) => void;
}

export interface TusUploadEnd {
  /** Keep it: it resumes an upload that was interrupted. */
  readonly uploadUrl: string;
  readonly isComplete: boolean;
}

/** Uploads with tus-js-client as it comes from npm. Rejects with what it reports once its retries are used up. */
export function uploadByTus(
  forgeUrl: string,
  content: Buffer | ReadStream,
  { uploadUrl, interruptAfterBytes = Infinity, onRequest = () => {} }: TusUploadOptions = {},
): Promise<TusUploadEnd> {
  return new Promise((resolve, reject) => {
    const end = (isComplete: boolean) => resolve({ uploadUrl: upload.url ?? '', isComplete });
    // Its types know browsers; in Node it takes a file's stream too, which it opens anew for every chunk.
    const upload = new Upload(content as Buffer, {
      endpoint: forgeUrl,
      uploadUrl,
      chunkSize: CHUNK_BYTES,
      retryDelays,
      storeFingerprintForResuming: false,
      onProgress: (sentBytes) => {
        if (sentBytes >= interruptAfterBytes) upload.abort().then(() => end(false), reject);
      },
      onAfterResponse: (request, response) =>
        onRequest(request.getMethod(), response.getStatus(), response.getHeader('Upload-Offset')),
      onSuccess: () => end(true),
      onError: (error) => reject(readable(error)),
    });
    upload.start();
  });
}

/** The client's own error holds the upload's address, and with it what opens the upload. */
function readable(error: Error): Error {
  const status = error instanceof DetailedError ? error.originalResponse?.getStatus() : undefined;
  return new Error(`the upload failed${status ? ` with ${status}` : ''}`, { cause: error });
}
