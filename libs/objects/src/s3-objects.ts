import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  NotFound,
  type ObjectsError,
  codedError,
  toInterrupted,
  toUnavailable,
  WrongLength,
} from './errors.js';
import { ExactLengthTransform, withExactLength } from './exact-length-transform.js';
import { assertBytes, assertKey, assertPrefix, assertRange, isKey, pageSize } from './validation.js';
import { Objects, type ByteRange, type ListRequest, type ObjectPage, type StoredObject } from './objects.js';
import { s3Client, TIMEOUT_MS, type S3Settings } from './s3-client.js';
import { watchForStall } from './stall-watch.js';

const DELETES_MAX = 1_000;

/**
 * Stores objects in a bucket of S3, or of a compatible store. Needs s3:ListBucket too: without it S3 does not report missing
 * objects. Reads have connections of their own, so that slow readers leave those of all other requests free.
 */
export class S3Objects extends Objects {
  readonly #client: S3Client;
  readonly #reader: S3Client;
  readonly #bucket: string;
  readonly #timeoutMs: number;

  constructor(settings: S3Settings) {
    super();
    this.#client = s3Client(settings);
    this.#reader = s3Client(settings);
    this.#bucket = settings.bucket;
    this.#timeoutMs = settings.timeoutMs ?? TIMEOUT_MS;
  }

  /** Does nothing: services start without the store, and their readiness check reports it. */
  async open(): Promise<void> {}

  close(): void {
    this.#client.destroy();
    this.#reader.destroy();
  }

  async check(): Promise<void> {
    const command = new HeadBucketCommand({ Bucket: this.#bucket });
    await this.#request('check', (abortSignal) => this.#client.send(command, { abortSignal }));
  }

  async put(key: string, content: Readable, bytes: number): Promise<void> {
    content.on('error', ignore); // It may fail before it is read; reading throws the error.
    try {
      assertKey(key);
      assertBytes(bytes);
      await this.#send(key, content, bytes);
    } finally {
      content.destroy();
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    assertKey(key);
    if (range) assertRange(range);
    const { body, bytes } = await this.#get(key, range);
    const exact = withExactLength(bytes, body);
    const unwatch = watchForStall({
      withinMs: this.#timeoutMs,
      isWaitingForStore: () => exact.readableLength < exact.readableHighWaterMark,
      progress: () => exact.receivedBytes,
      onStall: () => body.destroy(codedError('Stalled')),
    });
    exact.once('close', unwatch);
    return exact;
  }

  async find(key: string): Promise<StoredObject | null> {
    assertKey(key);
    const command = new HeadObjectCommand({ Bucket: this.#bucket, Key: key });
    try {
      const response = await this.#request('find', (abortSignal) =>
        this.#client.send(command, { abortSignal }),
      );
      return { key, bytes: required(response.ContentLength), modifiedAt: required(response.LastModified) };
    } catch (error) {
      if (error instanceof NotFound) return null;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    assertKey(key);
    const command = new DeleteObjectCommand({ Bucket: this.#bucket, Key: key });
    await this.#request('delete', (abortSignal) => this.#client.send(command, { abortSignal })).catch(
      (error: unknown) => {
        // S3 answers 204, some other stores 404.
        if (!(error instanceof NotFound)) throw error;
      },
    );
  }

  async deleteMany(keys: readonly string[]): Promise<void> {
    keys.forEach(assertKey);
    for (let from = 0; from < keys.length; from += DELETES_MAX)
      await this.#deleteBatch(keys.slice(from, from + DELETES_MAX));
  }

  async list({ prefix, after, limit }: ListRequest): Promise<ObjectPage> {
    assertPrefix(prefix);
    const command = new ListObjectsV2Command({
      Bucket: this.#bucket,
      Prefix: prefix,
      // A key and not the server's token, because it stays valid, even after the object was deleted.
      StartAfter: after,
      MaxKeys: pageSize(limit),
    });
    const { Contents = [], IsTruncated } = await this.#request('list', (abortSignal) =>
      this.#client.send(command, { abortSignal }),
    );
    const found = Contents.map(({ Key, Size, LastModified }) => ({
      key: required(Key),
      bytes: required(Size),
      modifiedAt: required(LastModified),
    }));
    const next = IsTruncated ? (found.at(-1)?.key ?? null) : null;
    return { objects: found.filter(({ key }) => isKey(key)), next };
  }

  /** Runs content and request concurrently; the first failure aborts the other, and is thrown. */
  async #send(key: string, content: Readable, bytes: number): Promise<void> {
    const exact = new ExactLengthTransform(bytes);
    exact.on('error', ignore); // The store may fail after the content has ended, when the stream has no listeners.
    const abort = new AbortController();
    let failure: ObjectsError | undefined;
    const fail = (error: ObjectsError) => {
      failure ??= error;
      exact.destroy(failure);
      abort.abort();
    };
    const unwatch = watchForStall({
      withinMs: this.#timeoutMs,
      isWaitingForStore: () => exact.readableLength > 0 || exact.writableFinished,
      progress: () => exact.receivedBytes - exact.readableLength,
      onStall: () => fail(failure ?? toUnavailable('put', codedError('Stalled'))),
    });
    const command = new PutObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      Body: exact,
      ContentLength: bytes,
    });
    const fed = pipeline(content, exact).catch((error: unknown) => fail(toInterrupted(error)));
    const sent = this.#client
      .send(command, { abortSignal: abort.signal })
      .catch((error: unknown) => fail(failure ?? toUnavailable('put', error)));
    await Promise.all([fed, sent]).finally(unwatch);
    if (failure) throw failure;
  }

  async #get(key: string, range?: ByteRange): Promise<{ body: Readable; bytes: number }> {
    const Range = range && `bytes=${range.start}-${range.end - 1}`;
    const command = new GetObjectCommand({ Bucket: this.#bucket, Key: key, Range });
    const response = await this.#request('read', (abortSignal) =>
      this.#reader.send(command, { abortSignal }),
    ).catch(async (error: unknown) => {
      throw range && isRangeError(error) ? await this.#rangeFailure(key, range) : error;
    });
    const body = response.Body as Readable;
    const bytes = required(response.ContentLength);
    if (!range || bytes === range.end - range.start) return { body, bytes };
    // The store truncates a range at the end of the object.
    body.destroy();
    throw await this.#rangeFailure(key, range);
  }

  async #rangeFailure(key: string, range: ByteRange): Promise<Error> {
    const found = await this.find(key);
    if (!found) return new NotFound();
    if (found.bytes < range.end) return new WrongLength(range.end, found.bytes);
    return toUnavailable('read', codedError('NoRanges'));
  }

  async #deleteBatch(keys: readonly string[]): Promise<void> {
    const command = new DeleteObjectsCommand({
      Bucket: this.#bucket,
      Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
    });
    const { Errors = [] } = await this.#request('delete', (abortSignal) =>
      this.#client.send(command, { abortSignal }),
    );
    const [failed] = Errors.filter(({ Code }) => Code !== 'NoSuchKey');
    if (failed) throw toUnavailable('delete', codedError(failed.Code ?? 'Unknown'));
  }

  /** Sends a request, with a timeout for the start of the response; its body is watched separately. */
  async #request<T>(operation: string, send: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    const unwatch = watchForStall({
      withinMs: this.#timeoutMs,
      isWaitingForStore: () => true,
      progress: () => 0,
      onStall: () => abort.abort(),
    });
    try {
      return await send(abort.signal);
    } catch (error) {
      if (isMissing(operation, error)) throw new NotFound();
      if (isRangeError(error)) throw error;
      throw toUnavailable(operation, abort.signal.aborted ? codedError('Timeout') : error);
    } finally {
      unwatch();
    }
  }
}

/** A response to HEAD has no body, so its error name does not distinguish a missing object from a missing bucket. */
function isMissing(operation: string, error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'NoSuchKey' || (error.name === 'NotFound' && operation === 'find');
}

function isRangeError(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidRange';
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw toUnavailable('answer', codedError('MalformedAnswer'));
  return value;
}

function ignore(): void {}
