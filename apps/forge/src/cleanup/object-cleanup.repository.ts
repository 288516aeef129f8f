import { Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';

const CHUNKS_BATCH_MAX = 5_000;

/**
 * A chunk of 50 MiB at 16 KiB/s, the least rate that is suffered, takes 53 minutes: what began before the end of its
 * upload may put an object that long after it.
 */
const LATE_HOURS_MAX = 2;

/** For how long a sweep is left alone without a sign of life; another copy of the service then begins it again. */
const LEASE_MINUTES = 5;

/** A sweep begins within half a minute of its time, unless there are more than can be worked on. */
const OVERDUE_MINUTES = 5;

/** A version whose objects are being looked through. */
export interface ObjectCleanup {
  readonly versionId: string;
  readonly status: 'finalized' | 'replaced' | 'dropped';
  /** Whether no object can come after it. */
  readonly isLast: boolean;
}

/**
 * Which versions are to be swept, by whom. A sweep is taken by pushing its time into the future, not by a lock: it lasts
 * longer than a transaction may. Two that work on one version do no harm, only the same.
 */
@Injectable()
export class ObjectCleanupRepository {
  constructor(private readonly database: Database) {}

  async claim(): Promise<ObjectCleanup | undefined> {
    const [sweep] = await this.database.query<ObjectCleanup>(takeSweep, []);
    return sweep;
  }

  /** Those that have waited for 5 minutes and are not being worked on. */
  async countOverdue(): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(countOverdue, []);
    return row?.count ?? 0;
  }

  /** A sign of life. False when the version has ended otherwise meanwhile, and another sweep is due for that. */
  async renew({ versionId, status }: ObjectCleanup): Promise<boolean> {
    return (await this.database.query(prolongSweep, [versionId, status])).length > 0;
  }

  /** The keys among these that a chunk names. */
  async findReferenced({ versionId }: ObjectCleanup, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<{ object_key: string }>(findNamed, [versionId, keys]);
    return new Set(rows.map(({ object_key }) => object_key));
  }

  /** A batch; 0: no chunk is left. */
  async deleteChunks({ versionId }: ObjectCleanup): Promise<number> {
    return (await this.database.query(removeChunks, [versionId])).length;
  }

  async finish({ versionId, status, isLast }: ObjectCleanup): Promise<void> {
    await this.database.query(finishSweep, [versionId, status, isLast]);
  }

  /** Not done: due at once again. */
  async release({ versionId, status }: ObjectCleanup): Promise<void> {
    await this.database.query(giveBackSweep, [versionId, status]);
  }
}

const takeSweep = statement(
  'forge.take-sweep',
  `UPDATE uploads SET sweep_at = now() + interval '${LEASE_MINUTES} minutes' WHERE version_id = (
     SELECT version_id FROM uploads WHERE sweep_at <= now() AND status <> 'open'
      ORDER BY sweep_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING version_id AS "versionId", status,
             status <> 'dropped' OR ended_at <= now() - interval '${LATE_HOURS_MAX} hours' AS "isLast"`,
);

const countOverdue = statement(
  'forge.count-overdue-sweeps',
  `SELECT count(*)::int AS count FROM uploads
    WHERE sweep_at <= now() - interval '${OVERDUE_MINUTES} minutes' AND status <> 'open'`,
);

const prolongSweep = statement(
  'forge.prolong-sweep',
  `UPDATE uploads SET sweep_at = now() + interval '${LEASE_MINUTES} minutes'
    WHERE version_id = $1 AND status = $2 AND sweep_at IS NOT NULL RETURNING version_id`,
);

const findNamed = statement(
  'forge.find-named-objects',
  `SELECT object_key FROM chunks WHERE version_id = $1 AND object_key = ANY($2::text[])`,
);

const removeChunks = statement(
  'forge.remove-chunks',
  `DELETE FROM chunks WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM chunks WHERE version_id = $1 LIMIT ${CHUNKS_BATCH_MAX} FOR UPDATE SKIP LOCKED))
   RETURNING chunk`,
);

const finishSweep = statement(
  'forge.finish-sweep',
  `UPDATE uploads SET sweep_at = CASE WHEN $3::boolean THEN NULL ELSE ended_at + interval '${LATE_HOURS_MAX} hours' END
    WHERE version_id = $1 AND status = $2`,
);

const giveBackSweep = statement(
  'forge.give-back-sweep',
  `UPDATE uploads SET sweep_at = now() WHERE version_id = $1 AND status = $2 AND sweep_at IS NOT NULL`,
);
