import { appendLeaves, EMPTY_ROOT, type TileReader } from '../index.js';

/** A log in memory: its files by path, as a log on disk has them. */
export class MemoryLog {
  readonly files = new Map<string, Buffer>();
  readonly read: TileReader = async (path) => this.files.get(path);
  size = 0;
  root: Buffer = EMPTY_ROOT;

  async append(leaves: readonly Uint8Array[]): Promise<this> {
    const { size, root, files } = await appendLeaves(this.size, leaves, this.read);
    for (const { path, bytes } of files) this.files.set(path, bytes);
    [this.size, this.root] = [size, root];
    return this;
  }
}

/** A log of `size` leaves, `leafAt(0)` to `leafAt(size - 1)`. */
export async function logOf(size: number): Promise<MemoryLog> {
  return new MemoryLog().append(Array.from({ length: size }, (_, index) => leafAt(index)));
}

export function leafAt(index: number): Buffer {
  return Buffer.from(`leaf ${index}`);
}
