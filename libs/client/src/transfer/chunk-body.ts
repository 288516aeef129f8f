import { builtinModule } from './builtin-module.js';

/** A chunk as tus-js-client sends it: it compares `size` with what it expects. */
export type ChunkBody = { readonly size: number; destroy?(): void } & object;

/**
 * A stream where the platform sends streams. Otherwise the bytes of the chunk, all of which are read and checked before the
 * first is sent; in browsers as a Blob, which they keep outside of the page's memory.
 */
export async function chunkBody(
  pieces: AsyncGenerator<Uint8Array, void, undefined>,
  size: number,
  onError: (error: unknown) => void,
): Promise<ChunkBody> {
  const streams = builtinModule<typeof import('node:stream')>('node:stream');
  if ('XMLHttpRequest' in globalThis) return new Blob([await gather(pieces, size)]);
  if (!streams) return withSize(await gather(pieces, size), size);
  // An error without a listener would end the process.
  const stream = streams.Readable.from(pieces, { objectMode: false }).on('error', onError);
  return withSize(stream, size);
}

async function gather(pieces: AsyncIterable<Uint8Array>, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for await (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function withSize<T extends object>(body: T, size: number): T & { size: number } {
  return Object.assign(body, { size });
}
