import type { ReadStream } from 'node:fs';
import { DetailedError, Upload } from 'tus-js-client';

/** The size of Forge's chunks (FRG-11). */
export const CHUNK_BYTES = 52_428_800;

/** Retries for 60 seconds. */
export const retryDelays = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 21_000];

export interface TusUploadOptions {
  /** The URL of an interrupted upload, which is resumed from the server's offset; `forgeUrl` is then not used. */
  readonly uploadUrl?: string;
  /** Aborts as soon as so many bytes were sent. */
  readonly interruptAfterBytes?: number;
  /** Called after every answered request. */
  readonly onRequest?: (method: string, status: number, uploadOffset: string | undefined) => void;
}

export interface TusUploadEnd {
  /** Resumes the upload if it is not complete. */
  readonly uploadUrl: string;
  readonly isComplete: boolean;
}

/** Uploads with the unmodified tus-js-client. Rejects with its error once its retries are exhausted. */
export function uploadByTus(
  forgeUrl: string,
  content: Buffer | ReadStream,
  { uploadUrl, interruptAfterBytes = Infinity, onRequest = () => {} }: TusUploadOptions = {},
): Promise<TusUploadEnd> {
  return new Promise((resolve, reject) => {
    const end = (isComplete: boolean) => resolve({ uploadUrl: upload.url ?? '', isComplete });
    // Its types are those for browsers; in Node it accepts a file stream, which it reopens for every chunk.
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

/** The client's error contains the URL of the upload, which is a secret. */
function readable(error: Error): Error {
  const status = error instanceof DetailedError ? error.originalResponse?.getStatus() : undefined;
  return new Error(`the upload failed${status ? ` with ${status}` : ''}`, { cause: error });
}
