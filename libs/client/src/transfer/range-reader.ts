import { delay } from '../delay.js';
import { foreignAnswer, isPage } from '../foreign-answer.js';
import { RedirectError, sendDirectly } from '../redirect-error.js';
import type { DownloadTicket } from './download-ticket.js';
import { assertSameVersion, replaced } from './download-ticket.js';
import { TransferError } from './transfer-error.js';
import type { TransferProgress } from './transfer-progress.js';

/** What a `RangeReader` reads, and how. */
export interface RangeOptions {
  readonly ticket: DownloadTicket;
  readonly start: number;
  readonly end: number;
  /** Another URL for the same content; without it the end of the URL is an error. */
  readonly renew?: () => Promise<DownloadTicket>;
  readonly onProgress?: (progress: TransferProgress) => void;
  readonly signal?: AbortSignal;
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** Attempts in a row that bring no byte. */
const ATTEMPTS_MAX = 6;

/** Reads a range of one version, over as many connections and URLs as it takes. */
export class RangeReader {
  #ticket: DownloadTicket;
  #offset: number;
  /** Names the version in Forge's responses, by the first of them. */
  #etag: string | undefined;
  readonly #end: number;

  constructor(private readonly options: RangeOptions) {
    this.#ticket = options.ticket;
    this.#offset = options.start;
    this.#end = options.end;
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
      this.#assertExpected(response);
      for (;;) {
        const part = await reader.read().catch((error: unknown) => this.#brokenOff(error));
        this.options.signal?.throwIfAborted();
        if (part.done) return;
        this.#offset += part.value.length;
        if (this.#offset > this.#end) throw new TransferError('The server sends more than was asked for.');
        this.options.onProgress?.({ bytes: this.#offset, total: this.#end });
        yield part.value;
      }
    } finally {
      this.options.signal?.removeEventListener('abort', abort);
      await reader.cancel().catch(() => undefined);
    }
  }

  async #open(): Promise<Response | undefined> {
    const { fetch: send = (request: Request) => fetch(request), signal } = this.options;
    const headers = new Headers({ Range: `bytes=${this.#offset}-${this.#end - 1}` });
    // With another version the whole content is the answer, with status 200 (RFC 9110, section 13.1.5).
    if (this.#etag !== undefined) headers.set('If-Range', this.#etag);
    try {
      return await sendDirectly(send, new Request(this.#ticket.url, { headers, signal }));
    } catch (error) {
      if (error instanceof RedirectError) throw error;
      this.#brokenOff(error);
      return undefined;
    }
  }

  /** The same version and the range that was asked for. Browsers do not show these headers to every page. */
  #assertExpected({ headers }: Response): void {
    const etag = headers.get('ETag') ?? undefined;
    if (this.#etag !== undefined && etag !== this.#etag) throw replaced();
    // A weak one does not promise equal bytes.
    if (etag?.startsWith('"')) this.#etag = etag;
    const range = headers.get('Content-Range');
    const [, first, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(range ?? '') ?? [];
    if (range === null) return;
    if (Number(first) !== this.#offset)
      throw new TransferError('The server sends another part than was asked for.');
    if (Number(total) !== this.#ticket.size) throw replaced();
  }

  #brokenOff(error: unknown): { done: true; value: undefined } {
    if (this.options.signal?.aborted) throw error;
    return { done: true, value: undefined };
  }

  /** 401: the URL has expired or is exhausted; another one continues, unless the file was replaced. */
  async #refuse(response: Response, failure: { status?: number }): Promise<void> {
    await response.body?.cancel();
    const { status, headers } = response;
    failure.status = status;
    if (status >= 500 || status === 429) return;
    const isForeign = isPage(headers.get('Content-Type')) && headers.get('ETag') === null;
    if (status === 200 && this.#etag !== undefined && !isForeign) throw replaced();
    if (response.ok || isForeign) throw new TransferError(foreignAnswer(status, this.#ticket.url));
    if (status !== 401 || !this.options.renew)
      throw new TransferError(`The download was refused with ${status}.`, status);
    const renewed = await this.options.renew();
    assertSameVersion(this.#ticket, renewed);
    this.#ticket = renewed;
  }
}
