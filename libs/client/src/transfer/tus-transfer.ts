import { DetailedError, Upload } from 'tus-js-client';
import { foreignAnswer, isPage } from '../foreign-answer.js';
import { isRedirect, RedirectError } from '../redirect-error.js';
import { assertNotRedirected } from './assert-not-redirected.js';
import { TransferError } from './transfer-error.js';
import type { UploadSource } from './upload-source.js';

/** The size of every chunk but the last, which Forge prescribes. */
const CHUNK_BYTES = 52_428_800;
/** Longer than a restart of the backend, and not at once: a chunk whose response was lost may still be on its way. */
const RETRY_DELAYS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/** One attempt to send a file to Forge. */
export interface TusTransfer {
  readonly source: UploadSource;
  /** Where a new upload is created, once; or the URL of one that exists. */
  readonly target: { readonly endpoint: string } | { readonly uploadUrl: string };
  readonly onCreated: (uploadUrl: string) => void;
  readonly onProgress: (bytes: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** Sends the file, from the offset that Forge has. Rejects with a TransferError, or with the reason of the signal. */
export function transferByTus({ source, target, onCreated, onProgress, signal }: TusTransfer): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => void upload.abort().finally(() => reject(signal?.reason as Error));
    const settle = (end: () => void) => {
      signal?.removeEventListener('abort', abort);
      end();
    };
    const upload = new Upload(source as never, {
      ...target,
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_DELAYS,
      storeFingerprintForResuming: false,
      fingerprint: async () => '',
      fileReader: { openFile: async () => tusSource(source) },
      onAfterResponse: assertNotRedirected,
      onShouldRetry: mayRetry,
      onUploadUrlAvailable: () => {
        // Otherwise tus-js-client would create a second upload after a HEAD that fails.
        upload.options.endpoint = null;
        onCreated(upload.url ?? '');
      },
      onProgress: (bytes, total) => onProgress(bytes, total),
      onSuccess: () => settle(resolve),
      onError: (error) => settle(() => reject(withoutUrl(error))),
    });
    signal?.addEventListener('abort', abort, { once: true });
    upload.start();
  });
}

function tusSource(source: UploadSource) {
  const { size } = source;
  return {
    size,
    slice: async (start: number, end: number) => {
      const value = await source.slice(start, Math.min(end, size));
      // tus-js-client compares the sizes of the parts with that of the file.
      if (!(value instanceof Blob)) Object.assign(value, { size: Math.min(end, size) - start });
      return { value, done: end >= size };
    },
    close: () => undefined,
  };
}

/** 400 and 409 to a chunk mean an offset that is out of date; HEAD returns the current one. */
function mayRetry(error: DetailedError): boolean {
  if (error.causingError instanceof RedirectError) return false;
  const status = statusOf(error);
  if (status === undefined || status >= 500 || status === 423 || status === 429) return true;
  return error.originalRequest.getMethod() === 'PATCH' && (status === 400 || status === 409);
}

function statusOf(error: DetailedError): number | undefined {
  return error.originalResponse?.getStatus() || undefined;
}

/** tus-js-client names the URL, which is a secret. Its transport for Node follows no redirects; that of browsers does. */
function withoutUrl(error: Error): TransferError | RedirectError {
  if (error instanceof DetailedError && error.causingError instanceof RedirectError)
    return error.causingError;
  const status = error instanceof DetailedError ? statusOf(error) : undefined;
  if (error instanceof DetailedError && status !== undefined) {
    const url = error.originalRequest.getURL();
    const header = (name: string) => error.originalResponse?.getHeader(name);
    if (isRedirect(status)) return new RedirectError(url, header('Location'));
    if (isPage(header('Content-Type'))) return new TransferError(foreignAnswer(status, url));
  }
  return new TransferError(
    status === undefined ? 'The upload broke off.' : `The upload was refused with ${status}.`,
    status,
  );
}
