import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tombstones of Sparks that are no longer listed: reading one answers 403 and not 404 (SPK-29, OPEN-50). They are kept for ever
 * (SPK-51), partitioned by the month of their expiry: inserts touch the newest index only, and a month whose tombstones have
 * ended is dropped whole.
 */
export class CreateTombstones1770000000001 implements MigrationInterface {
  readonly name = 'CreateTombstones1770000000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [tombstones, firstPartition, addPartitions, dropPartitions, ADD])
      await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION add_tombstone_partitions, drop_tombstone_partitions`);
    await runner.query(`DROP TABLE spent_sparks`);
  }
}

const ADD = `SELECT add_tombstone_partitions('spent_sparks')`;

const tombstones = `
  CREATE TABLE spent_sparks (
    id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    has_kindling boolean NOT NULL,
    is_burned boolean NOT NULL,
    expires_at timestamptz NOT NULL
  ) PARTITION BY RANGE (expires_at)`;

/** The partition of this month has no lower bound, so that a tombstone of any earlier month has a place. */
const firstPartition = `
  DO $$
  DECLARE
    month timestamptz := date_trunc('month', now(), 'UTC');
    name text := 'spent_sparks_' || to_char(month AT TIME ZONE 'UTC', 'YYYYMM');
  BEGIN
    EXECUTE format('CREATE TABLE %I (LIKE spent_sparks, PRIMARY KEY (id))', name);
    EXECUTE format('CREATE INDEX spent_sparks_by_expiry ON %I (expires_at)', name);
    EXECUTE format('ALTER TABLE spent_sparks ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)',
                   name, month + interval '1 month');
  END $$`;

/**
 * Both functions run with the rights of their owner, because the role of the service need not own the tables. They change
 * the partitions of their owner's \`spent_sparks\` only, and find its schema by the argument: a schema may be renamed.
 */
const asOwner = (timeout: string) => `
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '${timeout}' AS $$`;

const findHome = `
    SELECT nspname INTO STRICT home FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.oid = parent AND c.relname = 'spent_sparks' AND pg_get_userbyid(c.relowner) = current_user;`;

const partitions = `
  SELECT c.relname AS name, to_date(right(c.relname, 6), 'YYYYMM') AS month
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = parent`;

/**
 * Adds the partitions up to the third month from now, without a gap. The unique index is on the id alone, which a primary
 * key of the partitioned table could not be. \`ATTACH\` waits for no reader, and there is no default partition to lock.
 */
const addPartitions = `
  CREATE FUNCTION add_tombstone_partitions(parent regclass) RETURNS void ${asOwner('4s')}
  DECLARE
    home text;
    next date;
    name text;
  BEGIN
    ${findHome}
    PERFORM pg_advisory_xact_lock(parent::oid::bigint);
    SELECT max(month) + interval '1 month' INTO STRICT next FROM (${partitions}) AS existing;
    WHILE next <= (now() AT TIME ZONE 'UTC') + interval '3 months' LOOP
      name := 'spent_sparks_' || to_char(next, 'YYYYMM');
      EXECUTE format('CREATE TABLE %I.%I (LIKE %I.spent_sparks, PRIMARY KEY (id))', home, name, home);
      EXECUTE format('ALTER TABLE %I.spent_sparks ATTACH PARTITION %I.%I FOR VALUES FROM (%L) TO (%L)', home, home, name,
                     next || ' 00:00+00', (next + interval '1 month')::date || ' 00:00+00');
      next := next + interval '1 month';
    END LOOP;
  END $$`;

/** Drops the months that ended before a time. Readers that come meanwhile wait for at most the lock timeout. */
const dropPartitions = `
  CREATE FUNCTION drop_tombstone_partitions(parent regclass, before timestamptz) RETURNS void ${asOwner('200ms')}
  DECLARE
    home text;
    old record;
  BEGIN
    ${findHome}
    FOR old IN ${partitions} LOOP
      IF (old.month + interval '1 month') AT TIME ZONE 'UTC' <= before THEN
        EXECUTE format('DROP TABLE %I.%I', home, old.name);
      END IF;
    END LOOP;
  END $$`;
