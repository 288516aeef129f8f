import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { Database } from '@vaultsvc/database';
import type { Job } from '@vaultsvc/service';
import { accountContext, genericPlanOf, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import pg from 'pg';
import { DestroyEpochKeys } from '../../epoch-keys/destroy-epoch-keys.job.js';
import { PurgeKindlings } from '../../kindling/purge-kindlings.job.js';
import { PurgeLinks } from '../../link/purge-links.job.js';
import { PurgeMessages } from '../../message/purge-messages.job.js';
import { PurgeVerifications } from '../../visit/verification/purge-verifications.job.js';
import { selectLinks } from '../../link/link.repository.js';
import { usePlatform } from '../../testing/platform.js';
import { sparks } from '../../service-definition.js';
import { ExpireSparks } from '../expire-sparks.job.js';
import { MaintainTombstones } from './maintain-tombstones.job.js';
import { listOfAccount } from '../spark-list.repository.js';
import { TombstoneRepository } from './tombstone.repository.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
beforeAll(() => stopSchedule(platform.service));

const [caller, stranger] = [accountContext(), accountContext()];
const JOBS: readonly Type<Job>[] = [
  ExpireSparks,
  MaintainTombstones,
  PurgeKindlings,
  PurgeLinks,
  PurgeMessages,
  PurgeVerifications,
  DestroyEpochKeys,
];

async function runEveryJob(): Promise<void> {
  for (const job of JOBS) await platform.service.context.get(job).run();
}

const reasons = async (id: string) => [
  await reasonOf(platform.read(id, caller)),
  await reasonOf(platform.read(id, stranger)),
];

/** A burned or an unread Spark whose times are moved two years into the past, after all jobs. */
async function spentTwoYearsAgo({ isBurned, ...body }: { isBurned: boolean; with_kindling?: boolean }) {
  const { spark_id } = await platform.create({ payload: 'x', ttl_minutes: 1, ...body }, caller);
  if (isBurned) await platform.read(spark_id, caller);
  await platform.age(spark_id, '2 years');
  return spark_id;
}

describe('a Spark that was spent two years ago', () => {
  it('SPK-51 SPK-28 SPK-29 OPEN-50: answers 403 to its account after every job has run; an unknown id answers 404', async () => {
    const burned = await spentTwoYearsAgo({ isBurned: true });
    const expired = await spentTwoYearsAgo({ isBurned: false });
    await runEveryJob();
    expect(await platform.sql(`SELECT id FROM sparks WHERE id = ANY($1)`, [[burned, expired]])).toEqual([]);
    expect(await reasons(burned)).toEqual(['SPARK_BURNED', 'SPARK_NOT_FOUND']);
    expect(await reasons(expired)).toEqual(['SPARK_EXPIRED', 'SPARK_NOT_FOUND']);
    expect(await reasons(`spk_${'0'.repeat(22)}`)).toEqual(['SPARK_NOT_FOUND', 'SPARK_NOT_FOUND']);
  });

  it('SPK-51 SPK-35: of a kindling answers 403 to every account', async () => {
    const burned = await spentTwoYearsAgo({ isBurned: true, with_kindling: true });
    const expired = await spentTwoYearsAgo({ isBurned: false, with_kindling: true });
    await runEveryJob();
    expect(await reasons(burned)).toEqual(['SPARK_BURNED', 'SPARK_BURNED']);
    expect(await reasons(expired)).toEqual(['SPARK_EXPIRED', 'SPARK_EXPIRED']);
  });

  it('SPK-51 AMB-05: answers 404 once its account has deleted it unread, and still 403 if it was read before', async () => {
    const burned = await spentTwoYearsAgo({ isBurned: true });
    const expired = await spentTwoYearsAgo({ isBurned: false });
    await runEveryJob();
    await platform.remove(expired, stranger);
    expect(await reasonOf(platform.read(expired, caller))).toBe('SPARK_EXPIRED');
    for (const id of [burned, expired]) await platform.remove(id, caller);
    expect(await reasonOf(platform.read(burned, caller))).toBe('SPARK_BURNED');
    expect(await reasonOf(platform.read(expired, caller))).toBe('SPARK_NOT_FOUND');
  });
});

describe('the setting SPARK_TOMBSTONE_MONTHS', () => {
  it('SPK-51 OPEN-50: ends tombstones after that many months, at once for reads and then in the table', async () => {
    const old = await spentTwoYearsAgo({ isBurned: true });
    const { spark_id: recent } = await platform.create({ payload: 'x', ttl_minutes: 1 }, caller);
    await platform.read(recent, caller);
    await platform.age(recent, '28 days');
    await runEveryJob();
    const forgetful = await platform.harness.start(sparks, { SPARK_TOMBSTONE_MONTHS: '1' });
    await stopSchedule(forgetful);
    const tombstones = forgetful.context.get(TombstoneRepository);
    const accountId = caller.credential.accountId;
    expect(await tombstones.find(old, accountId)).toBeUndefined();
    expect(await tombstones.find(recent, accountId)).toEqual({ is_burned: true, is_own: true });
    await passMonths(3);
    await tombstones.maintainPartitions();
    expect(await months()).toEqual([-1, 0, 1, 2, 3]);
    expect(await platform.sql(`SELECT 1 FROM spent_sparks WHERE id = $1`, [old])).toEqual([]);
  });
});

/** Offsets from the current month of the months that have a partition. */
const months = async () =>
  (
    await platform.sql<{ offset: number }>(
      `SELECT ((extract(year FROM month) - extract(year FROM now())) * 12 + extract(month FROM month) - extract(month FROM now()))::int AS "offset"
         FROM (SELECT to_date(right(relname, 6), 'YYYYMM') AS month FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
                WHERE inhparent = 'spent_sparks'::regclass) AS partitions ORDER BY 1`,
    )
  ).map((row) => row.offset);

/** Makes the first partition end so many months ago and drops the later ones, as if no service had run since. */
async function passMonths(count: number): Promise<void> {
  const [first, ...later] = await platform.sql<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'spent_sparks'::regclass ORDER BY 1`,
  );
  if (later.length > 0) await platform.sql(`DROP TABLE ${later.map(({ name }) => name).join()}`);
  await platform.sql(`
    DO $$
    DECLARE
      ends timestamptz := date_trunc('month', now(), 'UTC') - interval '${count} months';
      name text := 'spent_sparks_' || to_char((ends - interval '1 day') AT TIME ZONE 'UTC', 'YYYYMM');
    BEGIN
      ALTER TABLE spent_sparks DETACH PARTITION ${first?.name};
      EXECUTE format('DELETE FROM ${first?.name} WHERE expires_at >= %L', ends);
      IF name <> '${first?.name}' THEN EXECUTE format('ALTER TABLE ${first?.name} RENAME TO %I', name); END IF;
      EXECUTE format('ALTER TABLE spent_sparks ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', name, ends);
    END $$`);
}

describe('the partitions of tombstones', () => {
  const maintain = () => platform.service.context.get(MaintainTombstones).run();

  it('SPK-51 OPEN-50: are created ahead by concurrent instances, without a gap after a pause of months', async () => {
    await passMonths(4);
    expect(await months()).toEqual([-5]);
    await Promise.all(Array.from({ length: 5 }, maintain));
    await maintain();
    expect(await months()).toEqual([-5, -4, -3, -2, -1, 0, 1, 2, 3]);
  });

  it('SPK-51: hold tombstones of any expiry until the end of the third month from now', async () => {
    await maintain();
    const [row] = await platform.sql<{ stored: number }>(
      `WITH stored AS (
         INSERT INTO spent_sparks (id, account_id, has_kindling, is_burned, expires_at)
         SELECT 'spk_at_' || day, 'acc', false, true, day
           FROM generate_series(now() - interval '3 years', date_trunc('month', now(), 'UTC') + interval '4 months' - interval '1 second', interval '1 day') day
         RETURNING id)
       SELECT count(*)::int AS stored FROM stored`,
    );
    expect(row?.stored).toBeGreaterThan(1_095 + 89);
  });

  it('SPK-51: are created while readers and a backup hold their locks', async () => {
    await passMonths(1);
    const backup = await platform.service.context.get(Database).connect();
    try {
      await backup.query('BEGIN');
      await backup.query('LOCK TABLE spent_sparks IN ACCESS SHARE MODE');
      await maintain();
      expect(await months()).toEqual([-2, -1, 0, 1, 2, 3]);
    } finally {
      await backup.query('ROLLBACK');
      backup.release();
    }
  });

  it('SPK-51: are created by a role that owns no table, and only those of this table', async () => {
    const { schema, adminUrl } = await platform.harness.schema('sparks');
    const role = `runtime_${randomBytes(5).toString('hex')}`;
    const admin = new pg.Client({ connectionString: adminUrl });
    await admin.connect();
    try {
      await admin.query(`CREATE ROLE ${role}`);
      await admin.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
      await admin.query(
        `CREATE TABLE ${schema}.events (LIKE ${schema}.spent_sparks) PARTITION BY RANGE (expires_at)`,
      );
      await admin.query(`SET ROLE ${role}`);
      await admin.query(`SET search_path = ${schema}`);
      await admin.query(`SELECT add_tombstone_partitions('spent_sparks')`);
      await admin.query(`SELECT drop_tombstone_partitions('spent_sparks', now() - interval '10 years')`);
      await expect(admin.query(`SELECT add_tombstone_partitions('events')`)).rejects.toThrow('no rows');
      await expect(admin.query(`DROP TABLE spent_sparks`)).rejects.toThrow('must be owner');
    } finally {
      await admin.query(`RESET ROLE; DROP TABLE ${schema}.events; DROP OWNED BY ${role}; DROP ROLE ${role}`);
      await admin.end();
    }
  });

  it('SPK-51 OPEN-50: take about 80 bytes for a tombstone', async () => {
    const id = await spentTwoYearsAgo({ isBurned: true });
    await runEveryJob();
    const [row] = await platform.sql<{ bytes: number }>(
      `SELECT pg_column_size(s.*) AS bytes FROM spent_sparks s WHERE id = $1`,
      [id],
    );
    expect(row?.bytes).toBeLessThanOrEqual(88);
  });
});

describe('lists', () => {
  it('SPK-16 SPK-51: of Sparks and of links visit no tombstone', async () => {
    for (const { text } of [listOfAccount, selectLinks])
      expect(await genericPlanOf(platform.service, text)).not.toContain('spent_sparks');
  });
});
