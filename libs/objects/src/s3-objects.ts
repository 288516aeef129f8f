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
import { NotFound, WrongLength, type ObjectsError } from './errors.js';
import { ExactLength } from './exact-length.js';
import { contentFailure, refusal, storeFailure } from './failures.js';
import { assertBytes, assertKey, assertPrefix, assertRange, isKey, pageSize } from './key.js';
import { Objects, type ByteRange, type ListRequest, type ObjectPage, type StoredObject } from './objects.js';
import { exactly } from './read-stream.js';
import { s3Client, TIMEOUT_MS, type S3Settings } from './s3-client.js';
import { watchForStall } from './stall-watch.js';

const DELETES_AT_ONCE_MAX = 1_000;

/** Objects in a bucket of any store that speaks S3. The credentials need s3:ListBucket too: without it S3 hides what is missing. */
export class S3Objects extends Objects {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #timeoutMs: number;

  constructor(settings: S3Settings) {
    super();
    this.#client = s3Client(settings);
    this.#bucket = settings.bucket;
    this.#timeoutMs = settings.timeoutMs ?? TIMEOUT_MS;
  }

  /** Nothing to do: a store that is not there yet keeps nobody from starting, readiness says so. */
  async open(): Promise<void> {}

  close(): void {
    this.#client.destroy();
  }

  async check(): Promise<void> {
    const command = new HeadBucketCommand({ Bucket: this.#bucket });
    await this.#ask('check', (abortSignal) => this.#client.send(command, { abortSignal }));
  }

  async put(key: string, content: Readable, bytes: number): Promise<void> {
    content.on('error', ignore); // It may fail before anybody reads it; reading tells.
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
    const exact = exactly(bytes, body);
    const unwatch = watchForStall({
      withinMs: this.#timeoutMs,
      isStoresTurn: () => exact.readableLength < exact.readableHighWaterMark,
      progress: () => exact.seen,
      onStall: () => body.destroy(refusal('Stalled')),
    });
    exact.once('close', unwatch);
    return exact;
  }

  async find(key: string): Promise<StoredObject | null> {
    assertKey(key);
    const command = new HeadObjectCommand({ Bucket: this.#bucket, Key: key });
    try {
      const answer = await this.#ask('find', (abortSignal) => this.#client.send(command, { abortSignal }));
      return { key, bytes: given(answer.ContentLength), modifiedAt: given(answer.LastModified) };
    } catch (error) {
      if (error instanceof NotFound) return null;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    assertKey(key);
    const command = new DeleteObjectCommand({ Bucket: this.#bucket, Key: key });
    await this.#ask('delete', (abortSignal) => this.#client.send(command, { abortSignal })).catch(
      (error: unknown) => {
        // S3 itself answers 204, some others 404.
        if (!(error instanceof NotFound)) throw error;
      },
    );
  }

  async deleteMany(keys: readonly string[]): Promise<void> {
    keys.forEach(assertKey);
    for (let from = 0; from < keys.length; from += DELETES_AT_ONCE_MAX)
      await this.#deleteAtOnce(keys.slice(from, from + DELETES_AT_ONCE_MAX));
  }

  async list({ prefix, after, limit }: ListRequest): Promise<ObjectPage> {
    assertPrefix(prefix);
    const command = new ListObjectsV2Command({
      Bucket: this.#bucket,
      Prefix: prefix,
      // A key and not the server's token: it can be kept, and works after the object is gone.
      StartAfter: after,
      MaxKeys: pageSize(limit),
    });
    const { Contents = [], IsTruncated } = await this.#ask('list', (abortSignal) =>
      this.#client.send(command, { abortSignal }),
    );
    const found = Contents.map(({ Key, Size, LastModified }) => ({
      key: given(Key),
      bytes: given(Size),
      modifiedAt: given(LastModified),
    }));
    const next = IsTruncated ? (found.at(-1)?.key ?? null) : null;
    return { objects: found.filter(({ key }) => isKey(key)), next };
  }

  /** Content and request run side by side; whichever fails first ends the other, and is what the caller hears of. */
  async #send(key: string, content: Readable, bytes: number): Promise<void> {
    const exact = new ExactLength(bytes);
    exact.on('error', ignore); // The store may refuse when the content has ended and nobody listens any more.
    const abort = new AbortController();
    let failure: ObjectsError | undefined;
    const fail = (error: ObjectsError) => {
      failure ??= error;
      exact.destroy(failure);
      abort.abort();
    };
    const unwatch = watchForStall({
      withinMs: this.#timeoutMs,
      isStoresTurn: () => exact.readableLength > 0 || exact.writableFinished,
      progress: () => exact.seen - exact.readableLength,
      onStall: () => fail(failure ?? storeFailure('put', refusal('Stalled'))),
    });
    const command = new PutObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      Body: exact,
      ContentLength: bytes,
    });
    const fed = pipeline(content, exact).catch((error: unknown) => fail(contentFailure(error)));
    const sent = this.#client
      .send(command, { abortSignal: abort.signal })
      .catch((error: unknown) => fail(failure ?? storeFailure('put', error)));
    await Promise.all([fed, sent]).finally(unwatch);
    if (failure) throw failure;
  }

  async #get(key: string, range?: ByteRange): Promise<{ body: Readable; bytes: number }> {
    const Range = range && `bytes=${range.start}-${range.end - 1}`;
    const command = new GetObjectCommand({ Bucket: this.#bucket, Key: key, Range });
    const answer = await this.#ask('read', (abortSignal) =>
      this.#client.send(command, { abortSignal }),
    ).catch(async (error: unknown) => {
      throw range && isBeyond(error) ? await this.#tooShort(key, range) : error;
    });
    const body = answer.Body as Readable;
    const bytes = given(answer.ContentLength);
    if (!range || bytes === range.end - range.start) return { body, bytes };
    // A range is cut at the end of the object.
    body.destroy();
    throw await this.#tooShort(key, range);
  }

  async #tooShort(key: string, range: ByteRange): Promise<Error> {
    const found = await this.find(key);
    if (!found) return new NotFound();
    if (found.bytes < range.end) return new WrongLength(range.end, found.bytes);
    return storeFailure('read', refusal('NoRanges'));
  }

  async #deleteAtOnce(keys: readonly string[]): Promise<void> {
    const command = new DeleteObjectsCommand({
      Bucket: this.#bucket,
      Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
    });
    const { Errors = [] } = await this.#ask('delete', (abortSignal) =>
      this.#client.send(command, { abortSignal }),
    );
    const [failed] = Errors.filter(({ Code }) => Code !== 'NoSuchKey');
    if (failed) throw storeFailure('delete', refusal(failed.Code ?? 'Unknown'));
  }

  /** Waits so long for the beginning of an answer; what follows it has its own watch. */
  async #ask<T>(operation: string, send: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    const unwatch = watchForStall({
      withinMs: this.#timeoutMs,
      isStoresTurn: () => true,
      progress: () => 0,
      onStall: () => abort.abort(),
    });
    try {
      return await send(abort.signal);
    } catch (error) {
      if (isMissing(operation, error)) throw new NotFound();
      if (isBeyond(error)) throw error;
      throw storeFailure(operation, abort.signal.aborted ? refusal('Timeout') : error);
    } finally {
      unwatch();
    }
  }
}

/** The answer to HEAD has no body, so it cannot say what it is that is missing. */
function isMissing(operation: string, error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'NoSuchKey' || (error.name === 'NotFound' && operation === 'find');
}

function isBeyond(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidRange';
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw storeFailure('answer', refusal('MalformedAnswer'));
  return value;
}

function ignore(): void {}
