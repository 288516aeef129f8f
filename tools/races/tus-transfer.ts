import { Upload } from 'tus-js-client';

export const CHUNK_BYTES = 52_428_800;

/** A minute and more: longer than anything that is killed here is away. */
const retryDelays = [100, 300, 600, ...Array.from({ length: 65 }, () => 1_000)];

/** How often an upload is taken up again by its kept URL after the client gave up on an answer. */
const RESUMES_MAX = 20;

/**
 * How a transfer ended. `spent`: its creation was never answered, and the ISTK is spent. `gone`:
 * Forge no longer knows the upload. `stopped`: by `stopAfter`.
 */
export type TransferEnd = 'whole' | 'spent' | 'gone' | 'stopped';

/** One upload by tus-js-client as it comes from npm, and what Forge has promised it so far. */
export class TusTransfer {
  /** Bytes that Forge has said it has. */
  acknowledged = 0;
  /** Answers by which Forge has less than it had said before. */
  lostChunks = 0;
  /** How often the client went on after an interruption. */
  resumes = 0;
  readonly #upload: Upload;
  #url: string | null = null;
  #isCreated = false;
  #isGone = false;
  #stopAt = Infinity;
  #end: (end: TransferEnd | Error) => void = () => undefined;

  /** `onChunk`: Forge has said that it has one more. */
  constructor(
    content: Buffer,
    endpoint: string,
    private readonly onChunk: () => void = () => undefined,
  ) {
    this.#upload = new Upload(content, {
      endpoint,
      chunkSize: CHUNK_BYTES,
      retryDelays,
      storeFingerprintForResuming: false,
      onUploadUrlAvailable: () => (this.#url = this.#upload.url),
      onAfterResponse: (request, response) =>
        this.#heard(request.getMethod(), response.getStatus(), response.getHeader('Upload-Offset')),
      onChunkComplete: () => this.#acknowledgedMore(),
      onSuccess: () => this.#end('whole'),
      onError: (error) => this.#end(error),
    });
  }

  /**
   * Where the upload is or was kept. The client forgets it when a HEAD is refused, and asks for a new upload.
   * @throws before the creation was answered
   */
  get url(): string {
    if (this.#url === null) throw new Error('the upload was never created');
    return this.#url;
  }

  /** Sends what is missing. `stopAfter`: leaves it as it is after so many bytes. */
  async run({ stopAfter = Infinity } = {}): Promise<TransferEnd> {
    this.#stopAt = stopAfter;
    for (let attempt = 0; ; attempt++) {
      const end = await this.#runOnce();
      if (!(end instanceof Error)) return end;
      if (!this.#isCreated) return 'spent';
      if (this.#isGone) return 'gone';
      if (attempt === RESUMES_MAX) throw end;
      this.resumes += 1;
    }
  }

  /** Gives the upload up, as `abort(true)` does; tried until Forge has answered. */
  async cancel(): Promise<void> {
    await this.#upload.abort(true);
  }

  #runOnce(): Promise<TransferEnd | Error> {
    return new Promise((resolve) => {
      this.#end = resolve;
      this.#upload.start();
    });
  }

  #heard(method: string, status: number, offset: string | undefined): void {
    if (method === 'POST' && status === 201) this.#isCreated = true;
    if (method === 'POST') return;
    this.#isGone = status === 404;
    if (status >= 300 || offset === undefined) return;
    if (method === 'HEAD') this.resumes += 1;
    if (Number(offset) < this.acknowledged) this.lostChunks += 1;
    this.acknowledged = Math.max(this.acknowledged, Number(offset));
  }

  #acknowledgedMore(): void {
    this.onChunk();
    if (this.acknowledged < this.#stopAt) return;
    void this.#upload.abort();
    this.#end('stopped');
  }
}
