import type { DataSource, EntityManager } from 'typeorm';
import { createMigrationSource, type DatabaseSettings, type Storage } from '../data-source.js';

/** One statement of a fence, and the sentence that reports it. */
export interface FenceStep {
  /** Completes "12 …": `Sparks burned`. */
  readonly says: string;
  /** SQL that ends what was created up to $1, the restore point, and returns one row with the `count` of it. */
  readonly text: string;
}

/**
 * What a service must end after its database was restored to an earlier state. Everything single-use or revocable that the
 * restored state calls live may have been used or revoked since: it would be disclosed, or accepted, a second time.
 */
export interface RestoreFence {
  readonly service: string;
  readonly storage: Storage;
  readonly steps: readonly FenceStep[];
}

/** The result of a fence. */
export interface FenceReport {
  /** When the fence of this restore point was applied before this call; undefined if it was not. */
  readonly appliedBefore: Date | undefined;
  /** In the order of the steps; empty if it was applied before. */
  readonly counts: readonly { readonly says: string; readonly count: number }[];
}

/**
 * Applies a fence in one transaction, once for each restore point: later calls change nothing, so they do not end what was
 * created since. Instances that run meanwhile are not disturbed, but the fence is meant to precede them.
 * @param restoredTo the time of the restored state, or any later time before new traffic
 * @throws when the time is in the future, or a migration is pending
 */
export async function applyRestoreFence(
  fence: RestoreFence,
  config: DatabaseSettings,
  restoredTo: Date,
): Promise<FenceReport> {
  const source = await createMigrationSource(config, fence.storage).initialize();
  try {
    await assertMigrated(source, config.DATABASE_SCHEMA);
    return await source.transaction((manager) => apply(manager, fence, restoredTo.toISOString()));
  } finally {
    await source.destroy();
  }
}

async function assertMigrated(source: DataSource, schema: string): Promise<void> {
  if (await source.showMigrations())
    throw new Error(`the schema "${schema}" has pending migrations; run the migrate job first`);
}

async function apply(manager: EntityManager, fence: RestoreFence, restoredTo: string): Promise<FenceReport> {
  const appliedBefore = await claim(manager, fence.service, restoredTo);
  if (appliedBefore) return { appliedBefore, counts: [] };
  const counts = [];
  for (const { says, text } of fence.steps) {
    const [row] = await manager.query<{ count: number }[]>(text, [restoredTo]);
    counts.push({ says, count: Number(row?.count ?? 0) });
  }
  return { appliedBefore: undefined, counts };
}

/**
 * Records the restore point. The table is created here and not by a migration: a fence must work on a backup that is older
 * than the table, and a restored state never contains its own fence.
 */
async function claim(manager: EntityManager, service: string, restoredTo: string): Promise<Date | undefined> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`vaultsvc:fence:${service}`]);
  await manager.query(
    `CREATE TABLE IF NOT EXISTS restore_fences (
       restored_to timestamptz PRIMARY KEY,
       applied_at timestamptz NOT NULL DEFAULT clock_timestamp())`,
  );
  const [clock] = await manager.query<{ is_future: boolean }[]>(
    `SELECT $1::timestamptz > clock_timestamp() AS is_future`,
    [restoredTo],
  );
  if (clock?.is_future) throw new Error(`${restoredTo} is in the future by the clock of the database`);
  const claimed = await manager.query<unknown[]>(
    `INSERT INTO restore_fences (restored_to) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1`,
    [restoredTo],
  );
  if (claimed.length > 0) return undefined;
  const [fence] = await manager.query<{ applied_at: Date }[]>(
    `SELECT applied_at FROM restore_fences WHERE restored_to = $1`,
    [restoredTo],
  );
  return fence?.applied_at;
}
