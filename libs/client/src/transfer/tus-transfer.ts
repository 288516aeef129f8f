import { DetailedError, Upload } from 'tus-js-client';
import { foreignAnswer, isPage } from '../foreign-answer.js';
import { isRedirect, RedirectError } from '../redirect-error.js';
import { assertNotRedirected } from './assert-not-redirected.js';
import { chunkBody, type ChunkBody } from './chunk-body.js';
import { CHUNK_BYTES } from './chunk-size.js';
import type { ChunkedSource } from './chunked-source.js';
import { SourceError } from './source-error.js';
import { TransferError } from './transfer-error.js';

/** Longer than a restart of the backend, and not at once: a chunk whose response was lost may still be on its way. */
const RETRY_DELAYS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/** One attempt to send a file to Forge. */
export interface TusTransfer {
  readonly chunks: ChunkedSource;
  readonly size: number;
  /** Where a new upload is created, once; or the URL of one that exists. */
  readonly target: { readonly endpoint: string } | { readonly uploadUrl: string };
  readonly onCreated: (uploadUrl: string) => void;
  readonly onProgress: (bytes: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** Forge has chunks of which this process does not know what they hold. */
export class UnknownChunks extends Error {}

/**
 * Sends the file, from the offset that Forge has. Rejects with a TransferError, with the reason of the signal, and at once with
 * the error of the source.
 */
export function transferByTus({
  target,
  onCreated,
  onProgress,
  signal,
  ...sent
}: TusTransfer): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (reason: unknown) =>
      void upload.abort().finally(() => settle(() => reject(reason as Error)));
    const abort = () => stop(signal?.reason);
    const reader = new ChunkReader(sent, stop);
    const settle = (end: () => void) => {
      signal?.removeEventListener('abort', abort);
      sent.chunks.stop();
      reader.close();
      end();
    };
    const upload = new Upload(sent as never, {
      ...target,
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_DELAYS,
      storeFingerprintForResuming: false,
      fingerprint: async () => '',
      fileReader: { openFile: async () => reader as never },
      onAfterResponse: assertNotRedirected,
      onShouldRetry: (error) => reader.failure === undefined && mayRetry(error),
      onUploadUrlAvailable: () => {
        // Otherwise tus-js-client would create a second upload after a HEAD that fails.
        upload.options.endpoint = null;
        onCreated(upload.url ?? '');
      },
      onProgress: (bytes, total) => onProgress(bytes, total),
      onSuccess: () => settle(resolve),
      onError: (error) => settle(() => reject(reader.failure ?? withoutUrl(error))),
    });
    signal?.addEventListener('abort', abort, { once: true });
    upload.start();
  });
}

/** The source as tus-js-client reads it: a chunk at a time. */
class ChunkReader {
  readonly size: number;
  failure: Error | undefined;
  #body: ChunkBody | undefined;

  constructor(
    private readonly sent: Pick<TusTransfer, 'chunks' | 'size'>,
    private readonly stop: (reason: unknown) => void,
  ) {
    this.size = sent.size;
  }

  async slice(start: number, end: number): Promise<{ value: object; done: boolean }> {
    this.close();
    const { chunks, size } = this.sent;
    const until = Math.min(end, size);
    if (!chunks.knowsUpTo(start)) throw this.#fail(new UnknownChunks());
    try {
      const fail = (error: unknown) => this.stop(this.#fail(SourceError.of(error)));
      this.#body = await chunkBody(chunks.chunk(start), until - start, fail);
    } catch (error) {
      throw this.#fail(SourceError.of(error));
    }
    return { value: this.#body, done: end >= size };
  }

  /** Ends the reading of a chunk that is not sent to its end. */
  close(): void {
    this.#body?.destroy?.();
    this.#body = undefined;
  }

  #fail(error: Error): Error {
    return (this.failure ??= error);
  }
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
