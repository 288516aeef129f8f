import type { FileHandle } from 'node:fs/promises';
import { PassThrough, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Options of `writeAll`. */
export interface WriteOptions {
  readonly signal?: AbortSignal;
  /** Changes the content on its way. */
  readonly through?: Transform;
}

/**
 * Writes content from the beginning of a file, which stays open, and returns its size.
 * @throws the reason of the signal, also while the content is waited for
 */
export async function writeAll(
  file: FileHandle,
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { signal, through = new PassThrough() }: WriteOptions = {},
): Promise<number> {
  let size = 0;
  const write = async (parts: AsyncIterable<Uint8Array>) => {
    for await (const part of parts) {
      for (let written = 0; written < part.length;) {
        const { bytesWritten } = await file.write(part, written, part.length - written, size);
        [written, size] = [written + bytesWritten, size + bytesWritten];
      }
    }
  };
  await pipeline(content, through, write, { signal });
  return size;
}
