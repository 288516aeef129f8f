/** The latest time of the API: years have passed five thousand. */
const SECONDS_MAX = 99_999_999_999;

/** Content of a known size that can be read again from any offset. */
export interface UploadSource {
  readonly size: number;
  /** Names the content; part of the key by which an interrupted upload is found again. Its bytes are compared then. */
  readonly fingerprint: string;
  readonly name?: string;
  readonly type?: string;
  /** When the file was last modified, in whole seconds since the epoch: the API keeps it with the content. */
  readonly modifiedAt?: number;
  /** The bytes from `start` to `end`: a Blob, bytes, or an iterable of bytes such as a stream of Node. */
  slice(start: number, end: number): Promise<SourceBytes>;
  /**
   * Resolves with true if the bytes are certainly those that `slice` returned since the source was opened. Otherwise, or
   * without this method, they are read again and compared before the last chunk is sent.
   */
  isUnchanged?(): Promise<boolean>;
  /** Called at the end of an upload. A later `slice` opens the source again. */
  close?(): Promise<void>;
}

/** A part of a source. */
export type SourceBytes = Blob | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** The sources that `upload` accepts. */
export type Uploadable = Blob | Uint8Array | string | UploadSource;

/** The source of a Blob or File, of bytes, or of a text. */
export function sourceOf(content: Uploadable): UploadSource {
  if (typeof content === 'string') return bytesSource(new TextEncoder().encode(content), true);
  if (content instanceof Uint8Array) return bytesSource(content, false);
  return content instanceof Blob ? blobSource(content) : content;
}

/** The seconds of a time in milliseconds; undefined for one that the API does not keep, such as one before 1970. */
export function modificationTime(milliseconds = Number.NaN): number | undefined {
  const seconds = Math.floor(milliseconds / 1_000);
  return seconds >= 0 && seconds <= SECONDS_MAX ? seconds : undefined;
}

/** The caller may change its bytes while they are sent; those of a text have no other owner. */
function bytesSource(bytes: Uint8Array, isOwned: boolean): UploadSource {
  return {
    size: bytes.length,
    // No later run can tell whether it has the same bytes.
    fingerprint: crypto.randomUUID(),
    slice: async (start, end) => bytes.subarray(start, end),
    ...(isOwned ? { isUnchanged: async () => true } : {}),
  };
}

/** A Blob never changes: that of a file that was written to cannot be read any more (File API, section 4). */
function blobSource(blob: Blob): UploadSource {
  const { name, lastModified } = blob as Blob & { name?: string; lastModified?: number };
  return {
    size: blob.size,
    fingerprint: name === undefined ? crypto.randomUUID() : `file ${name} ${blob.size}`,
    name,
    type: blob.type || undefined,
    modifiedAt: modificationTime(lastModified),
    slice: async (start, end) => blob.slice(start, end),
    isUnchanged: async () => true,
  };
}

/** The bytes of a part, piece by piece. */
export async function* bytesOf(part: SourceBytes): AsyncGenerator<Uint8Array, void, undefined> {
  if (part instanceof Blob) yield new Uint8Array(await part.arrayBuffer());
  else if (ArrayBuffer.isView(part)) yield part;
  else yield* part;
}
