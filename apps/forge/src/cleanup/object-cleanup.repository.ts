import { Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';

const CHUNKS_BATCH_MAX = 5_000;

/**
 * At the minimum rate of 16 KiB/s a chunk of 50 MiB takes 53 minutes, so an attempt may store its object that long after
 * its upload has ended.
 */
const LATE_HOURS_MAX = 2;

/** A claim that is not renewed for this long ends, and another instance starts over. */
const LEASE_MINUTES = 5;

/** A cleanup starts within 30 seconds of its time, unless more are due than the workers can handle. */
const OVERDUE_MINUTES = 5;

/** A claimed version whose orphaned objects are being deleted. */
export interface ObjectCleanup {
  readonly versionId: string;
  readonly status: 'finalized' | 'replaced' | 'dropped';
  /** Whether no attempt can store another object after it. */
  readonly isLast: boolean;
}

/**
 * The queue of versions whose orphaned objects are to be deleted. A claim is a lease, which moves `sweep_at` into the
 * future, because a cleanup takes longer than a transaction may. Concurrent cleanups of one version are harmless.
 */
@Injectable()
export class ObjectCleanupRepository {
  constructor(private readonly database: Database) {}

  async claim(): Promise<ObjectCleanup | undefined> {
    const [cleanup] = await this.database.query<ObjectCleanup>(claimCleanup, []);
    return cleanup;
  }

  /** The number of cleanups that are due for 5 minutes and not claimed. */
  async countOverdue(): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(countOverdue, []);
    return row?.count ?? 0;
  }

  /** Renews the lease. False when the status of the version has changed, for which another cleanup is due. */
  async renew({ versionId, status }: ObjectCleanup): Promise<boolean> {
    return (await this.database.query(renewCleanup, [versionId, status])).length > 0;
  }

  /** The keys of these that a chunk refers to. */
  async findReferenced({ versionId }: ObjectCleanup, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<{ object_key: string }>(findReferenced, [versionId, keys]);
    return new Set(rows.map(({ object_key }) => object_key));
  }

  /** Deletes a batch; returns 0 when none is left. */
  async deleteChunks({ versionId }: ObjectCleanup): Promise<number> {
    return (await this.database.query(deleteChunks, [versionId])).length;
  }

  async finish({ versionId, status, isLast }: ObjectCleanup): Promise<void> {
    await this.database.query(finishCleanup, [versionId, status, isLast]);
  }

  /** Ends the lease without finishing: the cleanup is due again at once. */
  async release({ versionId, status }: ObjectCleanup): Promise<void> {
    await this.database.query(releaseCleanup, [versionId, status]);
  }
}

const claimCleanup = statement(
  'forge.claim-object-cleanup',
  `UPDATE uploads SET sweep_at = now() + interval '${LEASE_MINUTES} minutes' WHERE version_id = (
     SELECT version_id FROM uploads WHERE sweep_at <= now() AND status <> 'open'
      ORDER BY sweep_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING version_id AS "versionId", status,
             status <> 'dropped' OR ended_at <= now() - interval '${LATE_HOURS_MAX} hours' AS "isLast"`,
);

const countOverdue = statement(
  'forge.count-overdue-object-cleanups',
  `SELECT count(*)::int AS count FROM uploads
    WHERE sweep_at <= now() - interval '${OVERDUE_MINUTES} minutes' AND status <> 'open'`,
);

const renewCleanup = statement(
  'forge.renew-object-cleanup',
  `UPDATE uploads SET sweep_at = now() + interval '${LEASE_MINUTES} minutes'
    WHERE version_id = $1 AND status = $2 AND sweep_at IS NOT NULL RETURNING version_id`,
);

const findReferenced = statement(
  'forge.find-referenced-objects',
  `SELECT object_key FROM chunks WHERE version_id = $1 AND object_key = ANY($2::text[])`,
);

const deleteChunks = statement(
  'forge.delete-chunks',
  `DELETE FROM chunks WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM chunks WHERE version_id = $1 LIMIT ${CHUNKS_BATCH_MAX} FOR UPDATE SKIP LOCKED))
   RETURNING chunk`,
);

const finishCleanup = statement(
  'forge.finish-object-cleanup',
  `UPDATE uploads SET sweep_at = CASE WHEN $3::boolean THEN NULL ELSE ended_at + interval '${LATE_HOURS_MAX} hours' END
    WHERE version_id = $1 AND status = $2`,
);

const releaseCleanup = statement(
  'forge.release-object-cleanup',
  `UPDATE uploads SET sweep_at = now() WHERE version_id = $1 AND status = $2 AND sweep_at IS NOT NULL`,
);
