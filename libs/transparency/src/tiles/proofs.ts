import { leftLeaves } from '../merkle/tree-hash.js';
import { TileHashes, type TileReader } from './tile-hashes.js';

/** Leaves from `start` to `end`, exclusive. */
type Range = readonly [start: number, end: number];

/**
 * The proof that a leaf is part of the tree of `size` leaves (RFC 6962, section 2.1.1): 32-byte hashes, nearest to the leaf
 * first. Reads one tile for each 8 levels.
 * @throws RangeError unless `index` is below `size`; MissingTile, InvalidTile
 */
export async function inclusionProof(size: number, index: number, read: TileReader): Promise<Buffer[]> {
  if (!(index >= 0 && index < size)) throw new RangeError('A leaf has an index below the size of its tree');
  return hashesOf(siblingsOf(index, [0, size]), size, read);
}

/**
 * The proof that the tree of `from` leaves is the beginning of the tree of `to` leaves (RFC 6962, section 2.1.2). Empty for
 * equal sizes and for an empty tree.
 * @throws RangeError if `from` is above `to`; MissingTile, InvalidTile
 */
export async function consistencyProof(from: number, to: number, read: TileReader): Promise<Buffer[]> {
  if (!(from >= 0 && from <= to)) throw new RangeError('A tree begins with trees that are not larger');
  return from === 0 ? [] : hashesOf(subproof(from, [0, to], true), to, read);
}

function hashesOf(ranges: readonly Range[], size: number, read: TileReader): Promise<Buffer[]> {
  const hashes = new TileHashes(size, read);
  return Promise.all(ranges.map(([start, end]) => hashes.range(start, end)));
}

/** PATH(m, D[n]) of RFC 6962. */
function siblingsOf(index: number, [start, end]: Range): Range[] {
  if (end - start === 1) return [];
  const middle = start + leftLeaves(end - start);
  return index < middle
    ? [...siblingsOf(index, [start, middle]), [middle, end]]
    : [...siblingsOf(index, [middle, end]), [start, middle]];
}

/** SUBPROOF(m, D[n], b) of RFC 6962; `isWhole` is its b: the old tree is the whole subtree, which the verifier knows. */
function subproof(oldEnd: number, [start, end]: Range, isWhole: boolean): Range[] {
  if (oldEnd === end) return isWhole ? [] : [[start, end]];
  const middle = start + leftLeaves(end - start);
  return oldEnd <= middle
    ? [...subproof(oldEnd, [start, middle], isWhole), [middle, end]]
    : [...subproof(oldEnd, [middle, end], false), [start, middle]];
}
