import { accountPseudonym } from '../chain/account-chain.js';
import type { HeadLeaf } from '../chain/head-leaf.js';
import { openCheckpoint, type OpenedCheckpoint } from '../note/checkpoint.js';
import { InvalidNote } from '../note/errors.js';
import { VerifierKey } from '../note/verifier-key.js';
import { MissingTile } from '../tiles/errors.js';
import type { TileReader } from '../tiles/tile-hashes.js';
import { accountHeads, type AccountHeads, type LogRestore } from './account-heads.js';
import type { ExportConsistency, ExportHeader } from './export-lines.js';
import { comparePinned, type PinnedComparison } from './pinned-checkpoint.js';
import { ExportProblem } from './problem.js';

/** What the verifier trusts, and has besides the export. */
export interface VerificationOptions {
  /** The keys that may sign checkpoints; without them those that the export names itself. */
  readonly keys?: readonly VerifierKey[] | undefined;
  /** A checkpoint that was fetched and kept earlier, as a signed note. */
  readonly pinned?: string | undefined;
  /** Reads downloaded tiles. */
  readonly read?: TileReader | undefined;
}

/** The lines of an export before its first entry. */
export interface Preamble {
  readonly header: ExportHeader;
  readonly note: string | undefined;
  readonly consistency: ExportConsistency | undefined;
}

/** What is known about the log before the entries are read. */
export interface VerifiedLog {
  /** Undefined in an export that was made before the log's first checkpoint. */
  readonly checkpoint: OpenedCheckpoint | undefined;
  readonly pinned: OpenedCheckpoint | undefined;
  readonly comparison: PinnedComparison | undefined;
  /** All heads of the account by seq; undefined without the tiles that show them. */
  readonly heads: ReadonlyMap<number, HeadLeaf> | undefined;
  /** The restores of the database of the log; undefined without the tiles that show them. */
  readonly restores: readonly LogRestore[] | undefined;
}

/**
 * Verifies the signatures of both checkpoints, compares them, and reads the account's heads from the tiles.
 * @throws ExportProblem: bad-signature, second-history, bad-tiles, malformed
 */
export async function verifyLog(preamble: Preamble, options: VerificationOptions): Promise<VerifiedLog> {
  const { header, note, consistency } = preamble;
  const keys = options.keys ?? keysOf(header);
  const open = (text: string, name: string) => opened(text, name, header.origin, keys);
  const pinned = options.pinned === undefined ? undefined : open(options.pinned, 'the pinned checkpoint');
  const checkpoint = note === undefined ? undefined : open(note, 'the checkpoint of the export');
  if (!checkpoint)
    return { checkpoint, pinned, comparison: pinned && 'undecided', heads: undefined, restores: undefined };
  const comparison = pinned && (await comparePinned(pinned, checkpoint, { consistency, read: options.read }));
  // Where the pinned checkpoint is newer and continues this one, it shows later heads of the account.
  const isNewer = pinned && pinned.size > checkpoint.size && comparison !== 'undecided';
  const found = options.read && (await headsIn(isNewer ? pinned : checkpoint, header, options.read));
  return { checkpoint, pinned, comparison, heads: found?.heads, restores: found?.restores };
}

async function headsIn(
  tree: OpenedCheckpoint,
  { account, pseudonymSalt }: ExportHeader,
  read: TileReader,
): Promise<AccountHeads | undefined> {
  return accountHeads(tree, accountPseudonym(pseudonymSalt, account), read).catch((error: unknown) => {
    if (error instanceof MissingTile) return undefined;
    throw error;
  });
}

function opened(note: string, name: string, origin: string, keys: readonly VerifierKey[]): OpenedCheckpoint {
  try {
    return openCheckpoint(note, origin, keys);
  } catch (error) {
    if (!(error instanceof InvalidNote)) throw error;
    throw new ExportProblem('bad-signature', `${name} is not valid: ${error.message}`);
  }
}

function keysOf({ keys }: ExportHeader): VerifierKey[] {
  try {
    return keys.map((key) => VerifierKey.parse(key));
  } catch (error) {
    if (!(error instanceof InvalidNote)) throw error;
    throw new ExportProblem('malformed', `the header has a malformed key: ${error.message}`);
  }
}
