// Random bytes, made once: what clients upload are slices of one file, which the page cache keeps.
import { createHash, randomFillSync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

const STEP_BYTES = 8_388_608;

/** Writes a file of random bytes. */
export async function makeContent(path, bytes) {
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

  constructor(path) {
    this.path = path;
  }

  slice(start, bytes) {
    const key = `${start}+${bytes}`;
    if (!this.#slices.has(key)) this.#slices.set(key, new Slice(this.path, start, bytes));
    return this.#slices.get(key);
  }
}

/** A part of the content: a file, to whoever uploads it. */
class Slice {
  #hash;

  constructor(path, start, bytes) {
    Object.assign(this, { path, start, bytes });
  }

  stream() {
    return createReadStream(this.path, { start: this.start, end: this.start + this.bytes - 1 });
  }

  /** SHA-256 in hex, read once. */
  hash() {
    return (this.#hash ??= hashOf(this.stream()));
  }
}

async function hashOf(stream) {
  const hash = createHash('sha256');
  for await (const part of stream) hash.update(part);
  return hash.digest('hex');
}
