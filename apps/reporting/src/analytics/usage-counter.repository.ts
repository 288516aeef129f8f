import { Injectable } from '@nestjs/common';
import { Database, statement, type Queryable } from '@vaultsvc/database';
import type { UsageCounts } from './usage-counts.js';

/** Counts of a bucket: an hour, a day, or a whole window. */
export interface BucketCounts {
  readonly operations: number;
  readonly sparksCreated: number;
  readonly vaultsCreated: number;
  readonly ingotsCreated: number;
  readonly bandwidthBytes: number;
}

/** A bucket, numbered from the Unix epoch: hours or UTC days. Buckets without usage have no row. */
export interface Bucket extends BucketCounts {
  readonly bucket: number;
}

/** The figures of an account since it exists, and the counts of a window. */
export interface UsageFigures extends BucketCounts {
  readonly sparksTotal: number;
  readonly sparksBurned: number;
  readonly sparksExpired: number;
  readonly sparksActive: number;
  readonly vaultsTotal: number;
  readonly vaultsActive: number;
  readonly ingots: number;
  readonly ingotBytes: number;
  readonly downloads: number;
  readonly transferredBytes: number;
}

/** The counters of accounts that analytics read. A reader touches the hours of its window, not the history. */
@Injectable()
export class UsageCounterRepository {
  constructor(private readonly database: Database) {}

  /** Adds the counts of a batch of events in its transaction. */
  async add(tx: Queryable, counts: readonly UsageCounts[]): Promise<void> {
    if (counts.length === 0) return;
    await tx.query(addCounts, [JSON.stringify(counts)]);
  }

  /** `firstHour`: the first hour of the window, which ends now. */
  async figures(accountId: string, firstHour: number): Promise<UsageFigures> {
    const [row] = await this.database.query<UsageFigures>(readFigures, [accountId, firstHour]);
    return row as UsageFigures; // the statement returns one row, also for an unused account
  }

  /** The buckets of the window in any order, each of this many hours. */
  buckets(
    accountId: string,
    [firstHour, lastHour]: readonly [number, number],
    hoursOfBucket: number,
  ): Promise<Bucket[]> {
    return this.database.query<Bucket>(readBuckets, [accountId, firstHour, lastHour, hoursOfBucket]);
  }
}

/** Rows of both tables are locked in the order of accounts, so that two instances cannot deadlock. */
export const addCounts = statement(
  'usage.add',
  `WITH counted AS (
     SELECT * FROM json_to_recordset($1) AS counts (
       "accountId" text, hour integer, operations bigint, "sparksCreated" bigint, "sparksBurned" bigint,
       "sparksDeleted" bigint, "sparksExpired" bigint, "vaultsCreated" bigint, "vaultsDeleted" bigint,
       "ingotsCreated" bigint, ingots bigint, "ingotBytes" bigint, downloads bigint, "transferredBytes" bigint,
       "bandwidthBytes" bigint)),
   hours AS (
     INSERT INTO usage_by_hour AS kept (account_id, hour, operations, sparks_created, vaults_created, ingots_created,
       bandwidth_bytes)
     SELECT "accountId", hour, operations, "sparksCreated", "vaultsCreated", "ingotsCreated", "bandwidthBytes" FROM counted
      WHERE operations + "sparksCreated" + "vaultsCreated" + "ingotsCreated" + "bandwidthBytes" > 0
      ORDER BY "accountId", hour
     ON CONFLICT (account_id, hour) DO UPDATE SET
       operations = kept.operations + excluded.operations,
       sparks_created = kept.sparks_created + excluded.sparks_created,
       vaults_created = kept.vaults_created + excluded.vaults_created,
       ingots_created = kept.ingots_created + excluded.ingots_created,
       bandwidth_bytes = kept.bandwidth_bytes + excluded.bandwidth_bytes)
   INSERT INTO usage_totals AS kept (account_id, sparks_created, sparks_burned, sparks_deleted, sparks_expired,
     vaults_created, vaults_deleted, ingots, ingot_bytes, downloads, transferred_bytes)
   SELECT "accountId", sum("sparksCreated"), sum("sparksBurned"), sum("sparksDeleted"), sum("sparksExpired"),
          sum("vaultsCreated"), sum("vaultsDeleted"), sum(ingots), sum("ingotBytes"), sum(downloads), sum("transferredBytes")
     FROM counted GROUP BY "accountId" ORDER BY "accountId"
   ON CONFLICT (account_id) DO UPDATE SET
     sparks_created = kept.sparks_created + excluded.sparks_created,
     sparks_burned = kept.sparks_burned + excluded.sparks_burned,
     sparks_deleted = kept.sparks_deleted + excluded.sparks_deleted,
     sparks_expired = kept.sparks_expired + excluded.sparks_expired,
     vaults_created = kept.vaults_created + excluded.vaults_created,
     vaults_deleted = kept.vaults_deleted + excluded.vaults_deleted,
     ingots = kept.ingots + excluded.ingots,
     ingot_bytes = kept.ingot_bytes + excluded.ingot_bytes,
     downloads = kept.downloads + excluded.downloads,
     transferred_bytes = kept.transferred_bytes + excluded.transferred_bytes`,
);

const SUMS = ['operations', 'sparks_created', 'vaults_created', 'ingots_created', 'bandwidth_bytes'].map(
  (column) => `coalesce(sum(${column}), 0)::bigint AS ${column}`,
);
const COUNTS = `operations, sparks_created AS "sparksCreated", vaults_created AS "vaultsCreated", ingots_created AS "ingotsCreated",
  bandwidth_bytes AS "bandwidthBytes"`;

/** An event may be applied before one that precedes it, so figures are 0 where they would be negative. */
export const readFigures = statement(
  'usage.read-figures',
  `SELECT recent.operations, recent.sparks_created AS "sparksCreated", recent.vaults_created AS "vaultsCreated",
          recent.ingots_created AS "ingotsCreated", recent.bandwidth_bytes AS "bandwidthBytes",
          coalesce(t.sparks_created, 0) AS "sparksTotal", coalesce(sparks_burned, 0) AS "sparksBurned",
          coalesce(sparks_expired, 0) AS "sparksExpired",
          greatest(t.sparks_created - sparks_burned - sparks_deleted - sparks_expired, 0) AS "sparksActive",
          coalesce(t.vaults_created, 0) AS "vaultsTotal", greatest(t.vaults_created - vaults_deleted, 0) AS "vaultsActive",
          greatest(ingots, 0) AS ingots, greatest(ingot_bytes, 0) AS "ingotBytes",
          coalesce(downloads, 0) AS downloads, coalesce(transferred_bytes, 0) AS "transferredBytes"
     FROM (SELECT ${SUMS.join()} FROM usage_by_hour WHERE account_id = $1 AND hour >= $2) recent
     LEFT JOIN usage_totals t ON t.account_id = $1`,
);

export const readBuckets = statement(
  'usage.read-buckets',
  `SELECT bucket, ${COUNTS}
     FROM (SELECT hour / $4::int AS bucket, ${SUMS.join()}
             FROM usage_by_hour WHERE account_id = $1 AND hour BETWEEN $2 AND $3 GROUP BY 1) buckets`,
);
