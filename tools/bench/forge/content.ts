// @ts-nocheck
// Random bytes, generated once: clients upload slices of one file, which stays in the page cache.
import { createHash, randomFillSync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

const STEP_BYTES = 8_388_608;

/** Writes a file of random bytes. */
export async function writeContent(path, bytes) {
  const step = Buffer.alloc(STEP_BYTES);
  const file = await open(path, 'w', 0o600);
  try {
    for (let at = 0; at < bytes; at += STEP_BYTES)
      await file.write(randomFillSync(step), 0, Math.min(STEP_BYTES, bytes - at));
    await file.sync();
  } finally {
    await file.close();
  }
  return new Content(path);
}

class Content {
  #slices = new Map();

  readonly path;

  constructor(path) {
    this.path = path;
  }

  slice(start, bytes) {
    const key = `${start}+${bytes}`;
    if (!this.#slices.has(key)) this.#slices.set(key, new Slice(this.path, start, bytes));
    return this.#slices.get(key);
  }
}

/** A part of the content, which a client uploads as a file. */
class Slice {
  #hash;

  constructor(path, start, bytes) {
    Object.assign(this, { path, start, bytes });
  }

  stream() {
    return createReadStream(this.path, { start: this.start, end: this.start + this.bytes - 1 });
  }

  /** SHA-256 in hex, computed once. */
  hash() {
    return (this.#hash ??= hashOf(this.stream()));
  }
}

async function hashOf(stream) {
  const hash = createHash('sha256');
  for await (const part of stream) hash.update(part);
  return hash.digest('hex');
}
