import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Bytes of every chunk but the last, as Forge hashes them. */
const CHUNK_BYTES = 52_428_800;

/** The hash of a version, of a local file: the SHA-256 of its only chunk, or over those of its chunks. */
export async function contentHash(path: string, size: number): Promise<string> {
  const hashes: Buffer[] = [];
  for (let start = 0; start < size; start += CHUNK_BYTES) {
    const hash = createHash('sha256');
    for await (const part of createReadStream(path, { start, end: start + CHUNK_BYTES - 1 }))
      hash.update(part as Buffer);
    hashes.push(hash.digest());
  }
  const [only] = hashes;
  const whole =
    hashes.length === 1 && only ? only : createHash('sha256').update(Buffer.concat(hashes)).digest();
  return whole.toString('hex');
}
