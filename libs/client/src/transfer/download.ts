import type { Schema } from '../client-types.js';
import { delay } from '../delay.js';
import { foreignAnswer, isPage } from '../foreign-answer.js';
import { RedirectError, sendDirectly } from '../redirect-error.js';
import { TransferError } from './transfer-error.js';
import type { TransferProgress } from './upload.js';
import type { VaultAccess } from './vault-access.js';

/** The settings of `download`. */
export interface DownloadOptions {
  /** The first byte; 0 by default. */
  readonly start?: number;
  /** The byte after the last one; the size of the file by default. */
  readonly end?: number;
  readonly onProgress?: (progress: TransferProgress) => void;
  readonly signal?: AbortSignal;
  /** A replacement of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** A download that has begun. */
export interface Download {
  readonly ingotId: string;
  readonly name: string;
  readonly contentType: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** The bytes of the range. It fails if the file was replaced meanwhile; never is it silently shorter. */
  readonly body: ReadableStream<Uint8Array>;
}

/** Attempts in a row that bring no byte. */
const ATTEMPTS_MAX = 6;

/**
 * Downloads a file, or a range of it. A broken connection is resumed at the byte where it broke off.
 * @param ingot its id, or `:` and its name
 * @throws ApiError, ConnectionError or, from the stream, TransferError
 */
export async function download(
  vault: VaultAccess,
  ingot: string,
  options: DownloadOptions = {},
): Promise<Download> {
  const ticket = await requestUrl(vault, ingot, options.signal);
  const bytes = new RangeReader(vault, ticket, options).read();
  return {
    ingotId: ticket.ingot_id,
    name: ticket.name,
    contentType: ticket.content_type,
    size: ticket.size_bytes,
    body: streamOf(bytes),
  };
}

/** A streaming URL, which may be used for several ranges. */
async function requestUrl(
  { client, vaultId }: VaultAccess,
  ingot: string,
  signal: AbortSignal | undefined,
): Promise<Schema<'IngotDownload'>> {
  const { data } = await client.POST('/v1/vaults/{vault_id}/ingots/{ingot_id}/download', {
    params: { path: { vault_id: vaultId, ingot_id: ingot } },
    body: { stream: true },
    isRepeatable: true,
    signal,
  });
  return data;
}

class RangeReader {
  #url: string;
  #offset: number;
  readonly #end: number;

  constructor(
    private readonly vault: VaultAccess,
    private readonly ticket: Schema<'IngotDownload'>,
    private readonly options: DownloadOptions,
  ) {
    this.#url = ticket.download_url;
    this.#offset = options.start ?? 0;
    this.#end = Math.min(options.end ?? ticket.size_bytes, ticket.size_bytes);
  }

  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let failures = 0; this.#offset < this.#end; failures++) {
      const before = this.#offset;
      const failure: { status?: number } = {};
      yield* this.#readUntilBroken(failure);
      if (this.#offset > before) failures = 0;
      if (this.#offset >= this.#end) return;
      if (failures === ATTEMPTS_MAX - 1) throw new TransferError('The download broke off.', failure.status);
      await delay(Math.min(1_000 * 2 ** failures, 15_000), this.options.signal);
    }
  }

  /** Reads as far as one connection goes. Only bytes that Forge has authenticated arrive, so each of them is good. */
  async *#readUntilBroken(failure: { status?: number }): AsyncGenerator<Uint8Array, void, undefined> {
    const response = await this.#open();
    if (!response) return;
    if (response.status !== 206) return this.#refuse(response, failure);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    // The signal of a Request may be garbage-collected in Node before its response is read.
    const abort = () => void reader.cancel().catch(() => undefined);
    this.options.signal?.addEventListener('abort', abort);
    try {
      for (;;) {
        const part = await reader.read().catch((error: unknown) => this.#brokenOff(error));
        this.options.signal?.throwIfAborted();
        if (part.done) return;
        this.#offset += part.value.length;
        this.#report();
        yield part.value;
      }
    } finally {
      this.options.signal?.removeEventListener('abort', abort);
      await reader.cancel().catch(() => undefined);
    }
  }

  async #open(): Promise<Response | undefined> {
    const { fetch: send = (request: Request) => fetch(request), signal } = this.options;
    const headers = { Range: `bytes=${this.#offset}-${this.#end - 1}` };
    try {
      return await sendDirectly(send, new Request(this.#url, { headers, signal }));
    } catch (error) {
      if (error instanceof RedirectError) throw error;
      this.#brokenOff(error);
      return undefined;
    }
  }

  #brokenOff(error: unknown): { done: true; value: undefined } {
    if (this.options.signal?.aborted) throw error;
    return { done: true, value: undefined };
  }

  /** 401: the URL has expired or is exhausted; another one continues, unless the file was replaced. */
  async #refuse(response: Response, failure: { status?: number }): Promise<void> {
    await response.body?.cancel();
    failure.status = response.status;
    if (response.status >= 500 || response.status === 429) return;
    if (response.ok || isPage(response.headers.get('Content-Type')))
      throw new TransferError(foreignAnswer(response.status, this.#url));
    if (response.status !== 401)
      throw new TransferError(`The download was refused with ${response.status}.`, response.status);
    const renewed = await requestUrl(this.vault, this.ticket.ingot_id, this.options.signal);
    if (renewed.size_bytes !== this.ticket.size_bytes) throw new TransferError('The file was replaced.');
    this.#url = renewed.download_url;
  }

  #report(): void {
    this.options.onProgress?.({ bytes: this.#offset, total: this.#end });
  }
}

function streamOf(bytes: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await bytes.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await bytes.return()),
    },
    { highWaterMark: 0 },
  );
}
