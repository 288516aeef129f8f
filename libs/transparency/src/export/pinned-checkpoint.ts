import { verifyConsistency } from '../merkle/proof-verification.js';
import type { OpenedCheckpoint } from '../note/checkpoint.js';
import { InvalidTile, MissingTile } from '../tiles/errors.js';
import { consistencyProof } from '../tiles/proofs.js';
import { TileHashes, type TileReader } from '../tiles/tile-hashes.js';
import type { ExportConsistency } from './export-lines.js';
import { ExportProblem } from './problem.js';

/** How the checkpoint of the export was compared with the pinned one; `undecided` when neither proof nor tiles exist. */
export type PinnedComparison = 'same' | 'proof' | 'tiles' | 'undecided';

/** What a comparison can use besides the two checkpoints. */
export interface ComparisonMeans {
  /** The consistency proof of the export. */
  readonly consistency: ExportConsistency | undefined;
  /** The tiles that the verifier was given. */
  readonly read: TileReader | undefined;
}

/**
 * Checks that one of two checkpoints continues the other. Tiles decide where there are tiles; otherwise the proof of the
 * export decides, if it starts at the size of the pinned checkpoint.
 * @throws ExportProblem: second-history when neither continues the other, bad-tiles
 */
export async function comparePinned(
  pinned: OpenedCheckpoint,
  own: OpenedCheckpoint,
  { consistency, read }: ComparisonMeans,
): Promise<PinnedComparison> {
  if (pinned.size === own.size) {
    if (!pinned.root.equals(own.root)) throw secondHistory(pinned, own);
    return 'same';
  }
  if (read && (await compareByTiles(pinned, own, read))) return 'tiles';
  if (consistency?.fromSize !== pinned.size || pinned.size > own.size) return 'undecided';
  if (!verifyConsistency(pinned, own, consistency.proof)) throw secondHistory(pinned, own);
  return 'proof';
}

/** False when a tile is missing. */
async function compareByTiles(
  pinned: OpenedCheckpoint,
  own: OpenedCheckpoint,
  read: TileReader,
): Promise<boolean> {
  const [from, to] = pinned.size < own.size ? [pinned, own] : [own, pinned];
  try {
    await assertTilesOf(to, read);
    const proof = await consistencyProof(from.size, to.size, read);
    if (!verifyConsistency(from, to, proof)) throw secondHistory(pinned, own);
    return true;
  } catch (error) {
    if (error instanceof MissingTile) return false;
    throw error instanceof InvalidTile ? new ExportProblem('bad-tiles', error.message) : error;
  }
}

/** Tiles of another log prove nothing about this one. */
async function assertTilesOf({ size, root }: OpenedCheckpoint, read: TileReader): Promise<void> {
  if ((await new TileHashes(size, read).root()).equals(root)) return;
  throw new ExportProblem('bad-tiles', `the tiles are not those of the checkpoint of size ${size}`);
}

function secondHistory(pinned: OpenedCheckpoint, own: OpenedCheckpoint): ExportProblem {
  return new ExportProblem(
    'second-history',
    `the log of the export (size ${own.size}) and the pinned checkpoint (size ${pinned.size}) are two histories: neither continues the other`,
  );
}
