import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rolled-up entries of the ledger are kept by month, so that those of an old month leave at once (ADR 64). A partition has the name of the
 * last month that it covers; the first one has all earlier entries, too. The role of the service may not create or drop tables:
 * two functions do, as the owner.
 */
export class KeepLedgerByMonth1770000000013 implements MigrationInterface {
  readonly name = 'KeepLedgerByMonth1770000000013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`,
    );
    await runner.query(`DROP VIEW ledger_lines`);
    for (const text of [...partition, ...functions, ...createLines]) await runner.query(text);
    // The release before this one adds none: it can run on for two months.
    await runner.query(`SELECT extend_ledger_months(now(), now() + interval '2 months')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW ledger_lines`);
    await runner.query(`CREATE TABLE ledger_whole (LIKE ledger INCLUDING ALL)`);
    await runner.query(`INSERT INTO ledger_whole SELECT * FROM ledger_aggregated`);
    await runner.query(`DROP FUNCTION extend_ledger_months, drop_ledger_months, missing_ledger_months`);
    await runner.query(`DROP VIEW ledger_months`);
    await runner.query(`DROP FUNCTION lowest_event_id`);
    await runner.query(`DROP TABLE ledger_aggregated`);
    await runner.query(`ALTER TABLE ledger_whole RENAME TO ledger_aggregated`);
    await runner.query(`ALTER INDEX ledger_whole_pkey RENAME TO ledger_aggregated_pkey`);
    for (const text of createLines) await runner.query(text);
  }
}

/** The lowest id of an event at a time: UUIDs of version 7 begin with it (RFC 9562). */
const lowestId = `
  CREATE FUNCTION lowest_event_id(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid $$`;

const partition = [
  lowestId,
  `ALTER TABLE ledger_aggregated RENAME TO ledger_earlier`,
  `ALTER INDEX ledger_aggregated_pkey RENAME TO ledger_earlier_pkey`,
  `CREATE TABLE ledger_aggregated (LIKE ledger_earlier INCLUDING ALL) PARTITION BY RANGE (event_id)`,
  `DO $$ DECLARE month timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
   BEGIN
     EXECUTE format('ALTER TABLE ledger_earlier RENAME TO ledger_aggregated_%s', to_char(month, 'YYYYMM'));
     EXECUTE format('ALTER TABLE ledger_aggregated ATTACH PARTITION ledger_aggregated_%s FOR VALUES FROM (MINVALUE) TO (%L)',
       to_char(month, 'YYYYMM'), lowest_event_id((month + interval '1 month') AT TIME ZONE 'UTC'));
   END $$`,
];

const functions = [
  `CREATE VIEW ledger_months AS
     SELECT c.relname AS partition, to_date(right(c.relname, 6), 'YYYYMM')::timestamp AS month,
            pg_get_expr(c.relpartbound, c.oid) LIKE '%(MINVALUE)%' AS has_earlier
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'ledger_aggregated'::regclass`,
  `COMMENT ON VIEW ledger_months IS 'the partitions of ledger_aggregated with the last month of UTC that each covers'`,
  `CREATE FUNCTION missing_ledger_months(first timestamp, until timestamp) RETURNS SETOF timestamp
   LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
     SELECT wanted.month FROM generate_series(date_trunc('month', first), until, interval '1 month') AS wanted (month)
      WHERE NOT EXISTS (
        SELECT FROM ledger_months m WHERE m.month = wanted.month OR (m.has_earlier AND m.month > wanted.month)) $$`,
  // The lock admits readers and writers, and one extension at a time.
  `CREATE FUNCTION extend_ledger_months(first timestamptz, until timestamptz) RETURNS void
   LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET timezone = 'UTC' SET lock_timeout = '5s' AS $$
   DECLARE month timestamp; name text;
   BEGIN
     IF NOT EXISTS (SELECT FROM missing_ledger_months(first::timestamp, until::timestamp)) THEN RETURN; END IF;
     LOCK TABLE ledger_aggregated IN SHARE UPDATE EXCLUSIVE MODE;
     FOR month IN SELECT * FROM missing_ledger_months(first::timestamp, until::timestamp) LOOP
       name := 'ledger_aggregated_' || to_char(month, 'YYYYMM');
       EXECUTE format('CREATE TABLE %I (LIKE ledger_aggregated INCLUDING ALL)', name);
       EXECUTE format('ALTER TABLE ledger_aggregated ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
         name, lowest_event_id(month), lowest_event_id(month + interval '1 month'));
     END LOOP;
   END $$`,
  // Only of months that are over: entries of later ones have a place. Two instances may call it at once.
  `CREATE FUNCTION drop_ledger_months(before timestamptz) RETURNS void
   LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET timezone = 'UTC' SET lock_timeout = '5s' AS $$
   DECLARE bound timestamp := least(before, now())::timestamp - interval '1 month'; old text;
   BEGIN
     IF NOT EXISTS (SELECT FROM ledger_months WHERE month <= bound) THEN RETURN; END IF;
     LOCK TABLE ledger_aggregated IN SHARE UPDATE EXCLUSIVE MODE;
     FOR old IN SELECT partition FROM ledger_months WHERE month <= bound ORDER BY month LOOP
       EXECUTE format('DROP TABLE %I', old);
     END LOOP;
   END $$`,
];

/** As before: a view is bound to its tables, not to their names. */
const createLines = [
  `CREATE VIEW ledger_lines AS
    SELECT aggregated, account_id, source, event_id, type, resource, quantity, unit, reference_id, vault_id, actor_type, created_at
      FROM (SELECT *, false AS aggregated FROM ledger UNION ALL SELECT *, true FROM ledger_aggregated) entry, LATERAL (VALUES
        ('storage', storage_bytes, 'bytes'), ('bandwidth', bandwidth_bytes, 'bytes'),
        ('operation', CASE WHEN storage_bytes IS NULL AND bandwidth_bytes IS NULL THEN 1 END, 'count')
      ) AS line (resource, quantity, unit)
     WHERE quantity IS NOT NULL`,
  `COMMENT ON VIEW ledger_lines IS 'the ledger with a line for each resource, rolled up or not; without summaries'`,
];
