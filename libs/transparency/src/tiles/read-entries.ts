import { decodeEntries } from './entry-bundle.js';
import { readFile, widthOf, type TileReader } from './tile-hashes.js';

/**
 * The leaves of one entry bundle of a tree of `size` leaves: 256, or the rest in the last bundle. They are as trustworthy as
 * the log: compare their hashes with those of a verified tree.
 * @throws MissingTile, InvalidTile
 */
export async function readEntries(size: number, index: number, read: TileReader): Promise<Buffer[]> {
  const count = widthOf(size, 0, index);
  if (count <= 0) return [];
  const { bytes, width } = await readFile(read, { level: 'entries', index, width: count });
  return decodeEntries(bytes, width).slice(0, count);
}
