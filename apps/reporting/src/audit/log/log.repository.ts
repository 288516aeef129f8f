import { Injectable } from '@nestjs/common';
import { Database, statement, type Queryable } from '@vaultsvc/database';
import { decodeEntries, encodeEntries, type TreeHead } from '@vaultsvc/transparency';

/** The tree that was signed last, and the leaves that follow. */
export interface LogState extends TreeHead {
  /** The name of the log; null before the first leaves. */
  readonly origin: string | null;
  /** The leaves that are staged after `size`; undefined when there are none. */
  readonly staged: readonly Buffer[] | undefined;
}

/** A checkpoint that the log has signed. */
export interface SignedCheckpoint {
  readonly size: number;
  readonly note: string;
}

/** A restore of the database after which no new generation has begun. */
export interface OpenRestore {
  readonly restoredToMs: number;
}

/** How a new generation begins: behind the public checkpoint, with one leaf that says what it follows. */
export interface NewGeneration {
  /** The size of the tree in the database. */
  readonly size: number;
  readonly former: SignedCheckpoint & TreeHead;
  readonly leaf: Buffer;
}

/** The state of the transparency log: one row, and every checkpoint that was ever signed. */
@Injectable()
export class LogRepository {
  constructor(private readonly database: Database) {}

  async state(): Promise<LogState> {
    const [row] = await this.database.query<StateRow>(selectState);
    if (!row) throw new Error('the row of audit_log_state is missing');
    const { size, root, origin, staged, staged_leaves } = row;
    return { size, root, origin, staged: staged ? decodeEntries(staged, staged_leaves ?? 0) : undefined };
  }

  /** The index of the first leaf; undefined, and nothing staged, while others are staged or if the origin is another. */
  async stage(tx: Queryable, leaves: readonly Buffer[], origin: string): Promise<number | undefined> {
    const [row] = await tx.query<{ size: number }>(stageLeaves, [
      encodeEntries(leaves),
      leaves.length,
      origin,
    ]);
    return row?.size;
  }

  /** Records the tree with the staged leaves and its checkpoint. False if another instance has done so. */
  async commit(from: number, { size, root }: TreeHead, note: string): Promise<boolean> {
    return (await this.database.query(commitTree, [from, size, root, note])).length > 0;
  }

  /** The restore that the fence has recorded; undefined when there is none, or its generation has begun. */
  async openRestore(): Promise<OpenRestore | undefined> {
    const [row] = await this.database.query<OpenRestore>(selectOpenRestore);
    return row;
  }

  /** Continues behind the public checkpoint. False if another instance has done so. */
  async beginGeneration({ size, former, leaf }: NewGeneration): Promise<boolean> {
    const values = [size, former.size, former.root, former.note, encodeEntries([leaf])];
    const [row] = await this.database.query<{ begun: boolean }>(beginGeneration, values);
    return row?.begun === true;
  }

  /** The checkpoint of the largest tree; undefined before the first one. */
  async latest(): Promise<SignedCheckpoint | undefined> {
    const [row] = await this.database.query<SignedCheckpoint>(selectLatest);
    return row;
  }
}

interface StateRow {
  size: number;
  root: Buffer;
  origin: string | null;
  staged: Buffer | null;
  staged_leaves: number | null;
}

const selectState = statement(
  'audit-log.state',
  `SELECT size, root, origin, staged, staged_leaves FROM audit_log_state`,
);

const stageLeaves = statement(
  'audit-log.stage',
  `UPDATE audit_log_state SET staged = $1, staged_leaves = $2, origin = $3
    WHERE staged IS NULL AND coalesce(origin, $3) = $3
   RETURNING size`,
);

/** Staged leaves are never replaced, so that all instances build the same tree from them and one records it. */
const commitTree = statement(
  'audit-log.commit',
  `WITH grown AS (
     UPDATE audit_log_state SET size = $2, root = $3, staged = NULL, staged_leaves = NULL
      WHERE size = $1 AND staged_leaves = $2::bigint - $1::bigint
     RETURNING size, root)
   INSERT INTO audit_checkpoints (size, root, note) SELECT size, root, $4 FROM grown RETURNING size`,
);

const selectOpenRestore = statement(
  'audit-log.open-restore',
  `SELECT (extract(epoch FROM restored_to) * 1000)::bigint AS "restoredToMs" FROM audit_log_restores
    WHERE begun_at IS NULL ORDER BY restored_to DESC LIMIT 1`,
);

const beginGeneration = statement(
  'audit-log.begin-generation',
  `SELECT begin_log_generation($1, $2, $3, $4, $5) AS begun`,
);

const selectLatest = statement(
  'audit-log.latest',
  `SELECT size, note FROM audit_checkpoints ORDER BY size DESC LIMIT 1`,
);
