import { decodeHead, type HeadLeaf } from '../chain/head-leaf.js';
import type { TreeHead } from '../merkle/proof-verification.js';
import { RootHasher } from '../merkle/root-hasher.js';
import { leafHash } from '../merkle/tree-hash.js';
import { InvalidTile } from '../tiles/errors.js';
import { readEntries } from '../tiles/read-entries.js';
import type { TileReader } from '../tiles/tile-hashes.js';
import { TILE_WIDTH } from '../tiles/tile-path.js';
import { ExportProblem } from './problem.js';

/**
 * All heads of one account in a log, by seq, from its entry bundles. It keeps the heads of this account only: at most one for
 * each hour.
 * @throws ExportProblem if the bundles are not those of the tree, or if the log has two heads for one entry or a head that is
 *   behind an earlier one; MissingTile
 */
export async function accountHeads(
  tree: TreeHead,
  pseudonym: string,
  read: TileReader,
): Promise<ReadonlyMap<number, HeadLeaf>> {
  const hasher = new RootHasher();
  const heads: HeadLeaf[] = [];
  for (let index = 0; index * TILE_WIDTH < tree.size; index += 1) {
    for (const leaf of await bundle(tree.size, index, read)) {
      hasher.add(leafHash(leaf));
      const head = decodeHead(leaf);
      if (head?.pseudonym === pseudonym) heads.push(head);
    }
  }
  if (!hasher.root().equals(tree.root))
    throw new ExportProblem(
      'bad-tiles',
      `the entries in the tiles are not those of the checkpoint of size ${tree.size}`,
    );
  return bySeq(heads);
}

async function bundle(size: number, index: number, read: TileReader): Promise<Buffer[]> {
  return readEntries(size, index, read).catch((error: unknown) => {
    throw error instanceof InvalidTile ? new ExportProblem('bad-tiles', error.message) : error;
  });
}

/** An account's chain only grows, so that each head has a higher number than the one before. */
function bySeq(heads: readonly HeadLeaf[]): Map<number, HeadLeaf> {
  const found = new Map<number, HeadLeaf>();
  let highest = 0;
  for (const head of heads) {
    if (head.seq <= highest)
      throw new ExportProblem(
        'second-history',
        `the log has a head with the number ${head.seq} after one with the number ${highest}`,
        head.seq,
      );
    highest = head.seq;
    found.set(head.seq, head);
  }
  return found;
}
