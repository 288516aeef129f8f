// Random bytes, generated once: clients upload slices of one file, which stays in the page cache.
import { createHash, randomFillSync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';

const STEP_BYTES = 8_388_608;

/** Writes a file of random bytes. */
export async function writeContent(path: string, bytes: number): Promise<Content> {
  const step = Buffer.alloc(STEP_BYTES);
  const file = await open(path, 'w', 0o600);
  try {
    for (let at = 0; at < bytes; at += STEP_BYTES)
      await file.write(randomFillSync(step), 0, Math.min(STEP_BYTES, bytes - at));
    await file.sync();
  } finally {
    await file.close();
  }
  return new Content(path, bytes);
}

export class Content {
  #slices = new Map<string, Slice>();

  readonly path: string;
  readonly bytes: number;

  constructor(path: string, bytes: number) {
    this.path = path;
    this.bytes = bytes;
  }

  slice(start: number, bytes: number): Slice {
    const key = `${start}+${bytes}`;
    const slice = this.#slices.get(key) ?? new Slice(this.path, start, bytes);
    this.#slices.set(key, slice);
    return slice;
  }
}

/** A part of the content, which a client uploads as a file. */
export class Slice {
  #hash: Promise<string> | undefined;

  readonly path: string;
  readonly start: number;
  readonly bytes: number;

  constructor(path: string, start: number, bytes: number) {
    this.path = path;
    this.start = start;
    this.bytes = bytes;
  }

  stream() {
    return createReadStream(this.path, { start: this.start, end: this.start + this.bytes - 1 });
  }

  /** SHA-256 in hex, computed once. */
  hash() {
    return (this.#hash ??= hashOf(this.stream()));
  }
}

async function hashOf(stream: Readable) {
  const hash = createHash('sha256');
  for await (const part of stream) hash.update(part as Buffer);
  return hash.digest('hex');
}
