import { Upload } from 'tus-js-client';

export const CHUNK_BYTES = 52_428_800;

/** 66 seconds in all, which is longer than the restart of a killed process. */
const retryDelays = [100, 300, 600, ...Array.from({ length: 65 }, () => 1_000)];

/** How often an upload is resumed at its URL after tus-js-client has exhausted its retries. */
const RESUMES_MAX = 20;

/**
 * How a transfer ended. `creation-lost`: its creation was never answered, and the ISTK is consumed. `deleted`: Forge answers
 * 404 for the upload. `stopped`: by `stopAfter`.
 */
export type TransferOutcome = 'complete' | 'creation-lost' | 'deleted' | 'stopped';

/** One upload by the unmodified tus-js-client, with the offsets that Forge has acknowledged. */
export class TusTransfer {
  /** The greatest offset that Forge has acknowledged. */
  acknowledged = 0;
  /** Answers with an offset below one acknowledged earlier. */
  lostChunks = 0;
  /** How often the client resumed after an interruption. */
  resumes = 0;
  readonly #upload: Upload;
  #url: string | null = null;
  #isCreated = false;
  #isDeleted = false;
  #stopAt = Infinity;
  #end: (end: TransferOutcome | Error) => void = () => undefined;

  /** @param onChunk called after each acknowledged chunk */
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
        this.#recordResponse(request.getMethod(), response.getStatus(), response.getHeader('Upload-Offset')),
      onChunkComplete: () => this.#handleChunk(),
      onSuccess: () => this.#end('complete'),
      onError: (error) => this.#end(error),
    });
  }

  /**
   * The URL of the upload. tus-js-client itself forgets it when a HEAD is refused, and creates a new upload.
   * @throws before the creation is answered
   */
  get url(): string {
    if (this.#url === null) throw new Error('the upload was never created');
    return this.#url;
  }

  /**
   * Sends the remaining bytes.
   * @param stopAfter stops once this offset is acknowledged
   */
  async run({ stopAfter = Infinity } = {}): Promise<TransferOutcome> {
    this.#stopAt = stopAfter;
    for (let attempt = 0; ; attempt++) {
      const end = await this.#runOnce();
      if (!(end instanceof Error)) return end;
      if (!this.#isCreated) return 'creation-lost';
      if (this.#isDeleted) return 'deleted';
      if (attempt === RESUMES_MAX) throw end;
      this.resumes += 1;
    }
  }

  /** Terminates the upload (`abort(true)`), with retries until Forge answers. */
  async cancel(): Promise<void> {
    await this.#upload.abort(true);
  }

  #runOnce(): Promise<TransferOutcome | Error> {
    return new Promise((resolve) => {
      this.#end = resolve;
      this.#upload.start();
    });
  }

  #recordResponse(method: string, status: number, offset: string | undefined): void {
    if (method === 'POST' && status === 201) this.#isCreated = true;
    if (method === 'POST') return;
    this.#isDeleted = status === 404;
    if (status >= 300 || offset === undefined) return;
    if (method === 'HEAD') this.resumes += 1;
    if (Number(offset) < this.acknowledged) this.lostChunks += 1;
    this.acknowledged = Math.max(this.acknowledged, Number(offset));
  }

  #handleChunk(): void {
    this.onChunk();
    if (this.acknowledged < this.#stopAt) return;
    void this.#upload.abort();
    this.#end('stopped');
  }
}
