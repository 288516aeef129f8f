import { decodeHead, type HeadLeaf } from '../chain/head-leaf.js';
import { decodeRestore, type RestoreLeaf } from '../chain/restore-leaf.js';
import type { TreeHead } from '../merkle/proof-verification.js';
import { RootHasher } from '../merkle/root-hasher.js';
import { leafHash } from '../merkle/tree-hash.js';
import { InvalidTile } from '../tiles/errors.js';
import { readEntries } from '../tiles/read-entries.js';
import type { TileReader } from '../tiles/tile-hashes.js';
import { TILE_WIDTH } from '../tiles/tile-path.js';
import { ExportProblem } from './problem.js';

/** A restore of the database of a log, after which a new generation of it began. */
export interface LogRestore {
  readonly leaf: RestoreLeaf;
  /** The heads of the account that are void: what they committed to was lost. */
  readonly voided: readonly HeadLeaf[];
}

/** The heads of one account in a log, by seq, and the restores that made others void. */
export interface AccountHeads {
  readonly heads: ReadonlyMap<number, HeadLeaf>;
  readonly restores: readonly LogRestore[];
}

/**
 * All heads of one account in a log, by seq, from its entry bundles, but for those that a restore has made void. It keeps the heads
 * of this account only: at most one for each hour.
 * @throws ExportProblem if the bundles are not those of the tree, or if the log has two heads for one entry or a head that is
 *   behind an earlier one; MissingTile
 */
export async function accountHeads(
  tree: TreeHead,
  pseudonym: string,
  read: TileReader,
): Promise<AccountHeads> {
  const hasher = new RootHasher();
  const found = new FoundHeads(pseudonym);
  for (let index = 0; index * TILE_WIDTH < tree.size; index += 1) {
    for (const leaf of await bundle(tree.size, index, read)) {
      hasher.add(leafHash(leaf));
      found.add(leaf);
    }
  }
  if (!hasher.root().equals(tree.root))
    throw new ExportProblem(
      'bad-tiles',
      `the entries in the tiles are not those of the checkpoint of size ${tree.size}`,
    );
  return { heads: bySeq(found.heads), restores: found.restores };
}

/** Collects the heads of an account from all leaves in their order. */
class FoundHeads {
  readonly restores: LogRestore[] = [];
  #placed: { readonly head: HeadLeaf; readonly index: number }[] = [];
  #size = 0;

  constructor(private readonly pseudonym: string) {}

  get heads(): readonly HeadLeaf[] {
    return this.#placed.map(({ head }) => head);
  }

  add(leaf: Uint8Array): void {
    const index = this.#size++;
    const head = decodeHead(leaf);
    if (head?.pseudonym === this.pseudonym) this.#placed.push({ head, index });
    const restore = head ? undefined : decodeRestore(leaf);
    if (restore?.formerSize === index) this.#restore(restore);
  }

  #restore(leaf: RestoreLeaf): void {
    const voided = this.#placed.filter(({ index }) => index >= leaf.from).map(({ head }) => head);
    this.#placed = this.#placed.filter(({ index }) => index < leaf.from);
    this.restores.push({ leaf, voided });
  }
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
