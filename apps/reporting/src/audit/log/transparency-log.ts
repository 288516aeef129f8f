import { Inject, Injectable } from '@nestjs/common';
import type { Queryable } from '@vaultsvc/database';
import { SERVED_SHARD } from '@vaultsvc/service';
import {
  appendLeaves,
  decodeRestore,
  NoteSigner,
  restoreExtensions,
  signCheckpoint,
  TileHashes,
  unverifiedCheckpoint,
  type TileReader,
  type VerifierKey,
} from '@vaultsvc/transparency';
import { AuditLogConfig } from '../../settings/audit-log-config.js';
import { LogConflict, LogFiles } from './log-files.js';
import { LogGenerations } from './log-generations.js';
import { LogRepository, type LogState, type SignedCheckpoint } from './log.repository.js';

/** Leaves of one stage: about 13 MB of them. */
export const STAGED_LEAVES_MAX = 65_536;

/**
 * The transparency log of the hourly heads: a C2SP tlog-tiles log in the object store.
 *
 * Leaves are staged in PostgreSQL, in the transaction that selects them, and are published in three steps: entry bundles and
 * tiles, then the row of the tree with its signed checkpoint, which is one conditional statement, then the public checkpoint.
 * Staged leaves never change, so that a crash at any step, or a second instance, repeats the same files and signs the same
 * tree: the log stays one history.
 */
@Injectable()
export class TransparencyLog {
  readonly #signers: readonly NoteSigner[];
  readonly #origin: string;

  constructor(
    private readonly repository: LogRepository,
    private readonly files: LogFiles,
    private readonly generations: LogGenerations,
    @Inject(SERVED_SHARD) shard: number,
    config: AuditLogConfig,
  ) {
    this.#origin = logOrigin(config.AUDIT_LOG_ORIGIN, shard);
    this.#signers = config.AUDIT_LOG_KEYS.map((key) => new NoteSigner(this.#origin, key.reveal()));
  }

  /** The name of the log in its checkpoints. */
  get origin(): string {
    return this.#origin;
  }

  /** The keys that verify the next checkpoint. */
  get keys(): readonly VerifierKey[] {
    return this.#signers.map(({ key }) => key);
  }

  /** Reads the files of the log by their paths. @throws Unavailable */
  get read(): TileReader {
    return this.files.read;
  }

  /** The last checkpoint that was signed; undefined while the log is empty. */
  latest(): Promise<SignedCheckpoint | undefined> {
    return this.repository.latest();
  }

  /**
   * Stages leaves in a transaction; `publish` appends them after its commit. Returns the index of the first leaf, which the
   * others follow. Undefined while earlier leaves are staged: publish, and stage again.
   * @throws RangeError for no leaf, more than 65,536 or a leaf of more than 65,535 bytes
   */
  async stage(tx: Queryable, leaves: readonly Buffer[]): Promise<number | undefined> {
    if (leaves.length < 1 || leaves.length > STAGED_LEAVES_MAX)
      throw new RangeError(`A stage has 1 to ${STAGED_LEAVES_MAX} leaves`);
    return this.repository.stage(tx, leaves, this.#origin);
  }

  /**
   * Appends the staged leaves, if there are any, and makes the last checkpoint public. Idempotent; safe on any number of
   * instances; a later call continues after a failure.
   * @throws LogConflict if the stored log is not the one that was signed, which needs an operator; Unavailable
   */
  async publish(): Promise<void> {
    await this.generations.beginAfterRestore({ origin: this.#origin, keys: this.keys });
    await this.#publishCheckpoint();
    const state = await this.repository.state();
    if (!state.staged) return;
    await this.#append(state, state.staged);
    await this.#publishCheckpoint();
  }

  async #append(state: LogState, leaves: readonly Buffer[]): Promise<void> {
    await this.#assertSigned(state);
    const { files, ...head } = await appendLeaves(state.size, leaves, this.files.read);
    for (const { path, bytes } of files) await this.files.write(path, bytes);
    const restore = leaves[0] && decodeRestore(leaves[0]);
    const extensions = restore && restoreExtensions(restore);
    const note = signCheckpoint({ origin: this.#origin, ...head }, this.#signers, extensions);
    await this.repository.commit(state.size, head, note);
  }

  /** A log that is continued from other tiles, or under another name, would sign a second history. */
  async #assertSigned({ size, root, origin }: LogState): Promise<void> {
    if (origin !== this.#origin)
      throw new LogConflict(`the log is named ${origin}, and AUDIT_LOG_ORIGIN is ${this.#origin}`);
    if (!(await new TileHashes(size, this.files.read).root()).equals(root))
      throw new LogConflict(`the tiles of size ${size} do not have the signed root`);
  }

  /**
   * Makes the last checkpoint public. Another instance may replace it by an older one meanwhile, hence the second look. A
   * checkpoint is committed before it is public, so that one ahead of the database shows that the database was restored. Only the
   * fence of the restore says that this was meant, and not a wrong database or bucket.
   */
  async #publishCheckpoint(): Promise<void> {
    for (;;) {
      const published = await this.files.checkpoint();
      const latest = await this.repository.latest();
      if (published === latest?.note) return;
      if (published !== undefined && unverifiedCheckpoint(published).size > (latest?.size ?? 0))
        throw new LogConflict(
          'the public checkpoint is ahead of the database: after a restore run `reporting restore-fence`',
        );
      if (latest) await this.files.writeCheckpoint(latest.note);
    }
  }
}

/** Each shard has a log of its own, which the gateway serves below that of shard 0 (ADR 63). */
function logOrigin(origin: string, shard: number): string {
  return shard === 0 ? origin : `${origin}/s${shard}`;
}
