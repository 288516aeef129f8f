import { Injectable } from '@nestjs/common';
import {
  consistencyProof,
  encodeRestore,
  InvalidNote,
  openCheckpoint,
  readEntries,
  TILE_WIDTH,
  TileHashes,
  verifyConsistency,
  type VerifierKey,
} from '@vaultsvc/transparency';
import { LogConflict, LogFiles } from './log-files.js';
import { LogRepository, type LogState, type NewGeneration } from './log.repository.js';

/** The name and the keys of the log. */
export interface LogIdentity {
  readonly origin: string;
  readonly keys: readonly VerifierKey[];
}

/**
 * Begins a new generation of the transparency log after a restore (ADR 50). What was published can be neither taken back nor signed
 * again with other leaves, so the log continues behind its last public checkpoint: the database takes over the size and root that
 * it lacks, and the next leaf names the leaves whose entries were lost. The log stays one history, and checkpoints that auditors
 * have kept stay valid.
 */
@Injectable()
export class LogGenerations {
  constructor(
    private readonly repository: LogRepository,
    private readonly files: LogFiles,
  ) {}

  /**
   * Does nothing without the record of a restore (`reporting restore-fence`). Safe on any number of instances.
   * @throws LogConflict if the public log does not continue the restored one; Unavailable
   */
  async beginAfterRestore(identity: LogIdentity): Promise<void> {
    const restore = await this.repository.openRestore();
    if (!restore) return;
    const state = await this.repository.state();
    const former = await this.#formerOf(state, identity);
    if (!former) return; // the database has more than the bucket, and publishes it first
    const from = state.size + (await this.#publishedOfStage(state, former));
    const formerRoot = former.root.toString('hex');
    const leaf = encodeRestore({
      from,
      formerSize: former.size,
      formerRoot,
      restoredToMs: restore.restoredToMs,
    });
    await this.repository.beginGeneration({ size: state.size, former, leaf });
  }

  /** The public checkpoint, which continues the tree of the database. */
  async #formerOf(
    state: LogState,
    { origin, keys }: LogIdentity,
  ): Promise<NewGeneration['former'] | undefined> {
    const note = await this.files.checkpoint();
    if (note === undefined) return undefined;
    const former = { ...opened(note, origin, keys), note };
    const isPublished = former.size > state.size || (former.size === state.size && !state.staged);
    if (!isPublished) return undefined;
    const tiles = new TileHashes(former.size, this.files.read);
    const proof = await consistencyProof(state.size, former.size, this.files.read);
    if (!(await tiles.root()).equals(former.root) || !verifyConsistency(state, former, proof))
      throw new LogConflict(`the public log of ${former.size} leaves does not continue that of the database`);
    return former;
  }

  /** The leaves that the restored database has staged were the first to be published after its moment. */
  async #publishedOfStage({ size, staged = [] }: LogState, former: NewGeneration['former']): Promise<number> {
    if (staged.length === 0) return 0;
    const published = await this.#leaves(size, size + staged.length, former.size);
    if (staged.every((leaf, place) => published[place]?.equals(leaf))) return staged.length;
    throw new LogConflict('the public log has other leaves than those that were staged');
  }

  async #leaves(start: number, end: number, size: number): Promise<readonly Buffer[]> {
    const first = Math.floor(start / TILE_WIDTH);
    const leaves: Buffer[] = [];
    for (let index = first; index * TILE_WIDTH < Math.min(end, size); index += 1)
      leaves.push(...(await readEntries(size, index, this.files.read)));
    return leaves.slice(start - first * TILE_WIDTH, end - first * TILE_WIDTH);
  }
}

function opened(note: string, origin: string, keys: readonly VerifierKey[]) {
  try {
    return openCheckpoint(note, origin, keys);
  } catch (error) {
    if (!(error instanceof InvalidNote)) throw error;
    throw new LogConflict(`the public checkpoint is not that of this log: ${error.message}`);
  }
}
