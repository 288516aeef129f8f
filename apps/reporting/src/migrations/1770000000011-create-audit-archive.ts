import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The archive of the audit log (ADR 59): old entries leave the table for segments in the object store. The role of the service reads segments
 * and keys and makes keys; it adds segments by `archive_audit_entries` alone, and destroys keys by `erase_audit_entries` alone.
 * Both run as the owner of the tables.
 */
export class CreateAuditArchive1770000000011 implements MigrationInterface {
  readonly name = 'CreateAuditArchive1770000000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(temporaryTablesLast);
    for (const statement of [...tables, ...revocations, refuseChange(mayArchive), eraseAndDestroy, archive])
      await runner.query(statement);
  }

  /** Entries that are archived do not come back: the release before this one does not find them. */
  async down(runner: QueryRunner): Promise<void> {
    const [archived] = (await runner.query(`SELECT 1 FROM audit_segments LIMIT 1`)) as object[];
    if (archived)
      throw new Error(
        'entries of the audit log are in the archive, which the release before this one cannot read',
      );
    await runner.query(`ALTER TABLE audit_entries RESET (autovacuum_vacuum_scale_factor)`);
    await runner.query(`DROP FUNCTION archive_audit_entries`);
    await runner.query(eraseOnly);
    await runner.query(refuseChange(`TG_OP = 'UPDATE'`));
    await runner.query(
      `DROP TABLE audit_segments, audit_segment_keys, audit_segment_attempts, audit_archived_deletions`,
    );
  }
}

/** For the functions, which keep it: no temporary table of a session takes the place of a table that they read. */
const temporaryTablesLast = `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`;

const tables = [
  `CREATE TABLE audit_segments (
     account_id text COLLATE "C" NOT NULL,
     last_seq bigint NOT NULL,
     first_seq bigint NOT NULL,
     first_at timestamptz NOT NULL,
     last_at timestamptz NOT NULL,
     hash bytea NOT NULL,
     object_key text NOT NULL,
     digest bytea NOT NULL,
     filter bytea NOT NULL,
     PRIMARY KEY (account_id, last_seq)
   )`,
  `COMMENT ON COLUMN audit_segments.hash IS 'of the last entry: its chain leads to it'`,
  // A deleted row stays in its page until VACUUM. Deletion destroys a key, as in data_keys.
  `CREATE TABLE audit_segment_keys (
     account_id text COLLATE "C" NOT NULL,
     vault_id text COLLATE "C" NOT NULL,
     kid uuid NOT NULL DEFAULT gen_random_uuid(),
     key bytea NOT NULL,
     PRIMARY KEY (account_id, vault_id)
   ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500)`,
  `COMMENT ON COLUMN audit_segment_keys.vault_id IS 'empty for the key of the account'`,
  `CREATE INDEX audit_segment_keys_by_kid ON audit_segment_keys (account_id, kid)`,
  `CREATE TABLE audit_archived_deletions (
     account_id text COLLATE "C" NOT NULL,
     vault_id text COLLATE "C" NOT NULL,
     PRIMARY KEY (account_id, vault_id)
   )`,
  `CREATE TABLE audit_segment_attempts (
     object_key text COLLATE "C" PRIMARY KEY,
     begun_at timestamptz NOT NULL DEFAULT now()
   )`,
  `COMMENT ON TABLE audit_segment_attempts IS 'objects that may exist and belong to no segment yet'`,
  `COMMENT ON TABLE audit_archived_deletions IS 'vaults whose deletion is in an archived entry'`,
  // The space of archived entries is used again before a fifth of a large table is dead.
  `ALTER TABLE audit_entries SET (autovacuum_vacuum_scale_factor = 0.02)`,
];

const revoke = (rights: string, table: string) => `
  DO $$ DECLARE grantee text; BEGIN
    FOR grantee IN SELECT DISTINCT g.grantee FROM information_schema.role_table_grants g
      WHERE g.table_schema = current_schema() AND g.table_name = '${table}' AND g.grantee <> current_user
    LOOP EXECUTE format('REVOKE ${rights} ON ${table} FROM %I', grantee); END LOOP;
  END $$`;

const revocations = [
  revoke('INSERT, UPDATE, DELETE, TRUNCATE', 'audit_segments'),
  revoke('INSERT, UPDATE, DELETE, TRUNCATE', 'audit_archived_deletions'),
  revoke('UPDATE, DELETE, TRUNCATE', 'audit_segment_keys'),
];

const mayArchive = `TG_OP IN ('UPDATE', 'DELETE')`;

/** Only by the owner of the table, as whom the functions of the archive and of erasure run. */
const refuseChange = (isAllowed: string) => `
  CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF ${isAllowed} AND current_user = (SELECT tableowner FROM pg_tables WHERE schemaname = TG_TABLE_SCHEMA AND tablename = TG_TABLE_NAME)
    THEN RETURN coalesce(NEW, OLD); END IF;
    RAISE EXCEPTION 'entries of the audit log cannot be changed or deleted' USING ERRCODE = 'insufficient_privilege';
  END $$`;

const erase = (lock: string, isDeleted: string, destroy: string) => `
  CREATE OR REPLACE FUNCTION erase_audit_entries(erased_account text, erased_vault text, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  DECLARE erased integer;
  BEGIN${lock}
    IF NOT (EXISTS (SELECT 1 FROM audit_entries WHERE account_id = erased_account AND vault_id = erased_vault AND event_type = 'vault_deleted')${isDeleted})
    THEN RAISE EXCEPTION 'the audit log has no deletion of this vault' USING ERRCODE = 'insufficient_privilege'; END IF;
    UPDATE audit_entries SET body = NULL, salt = NULL, vault_id = NULL, ingot_id = NULL, actor_id = NULL
     WHERE (account_id, seq) IN (
       SELECT account_id, seq FROM audit_entries
        WHERE account_id = erased_account AND vault_id = erased_vault AND event_type NOT IN ('vault_created', 'vault_deleted')
        ORDER BY seq LIMIT most);
    GET DIAGNOSTICS erased = ROW_COUNT;${destroy}
    RETURN erased;
  END $$`;

/** The key is deleted after the entries: what is archived until then cannot be read any more. */
const eraseAndDestroy = erase(
  `
    -- In the order of archive_audit_entries.
    PERFORM 1 FROM audit_segment_keys WHERE account_id = erased_account AND vault_id = erased_vault FOR UPDATE;`,
  `
       OR EXISTS (SELECT 1 FROM audit_archived_deletions WHERE account_id = erased_account AND vault_id = erased_vault)`,
  `
    DELETE FROM audit_segment_keys WHERE account_id = erased_account AND vault_id = erased_vault;`,
);
const eraseOnly = erase('', '', '');

/**
 * Replaces entries by a segment. The locks of the keys let an erasure wait for it, or it for an erasure: an entry that was erased after
 * it was read has no body any more, and the segment would have it. An attempt that is gone has lost its object.
 */
const archive = `
  CREATE FUNCTION archive_audit_entries(
    archived_account text, from_seq bigint, to_seq bigint, without_body integer, stored_as text, stored_digest bytea, entry_filter bytea,
    used_kids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  DECLARE locked integer; attempts integer; recorded integer;
  BEGIN
    PERFORM 1 FROM audit_segment_keys WHERE account_id = archived_account AND kid = ANY(used_kids) FOR KEY SHARE;
    GET DIAGNOSTICS locked = ROW_COUNT;
    DELETE FROM audit_segment_attempts WHERE object_key = stored_as;
    GET DIAGNOSTICS attempts = ROW_COUNT;
    IF attempts = 0 OR locked = 0 OR locked <> cardinality(used_kids)
      OR from_seq <> 1 + coalesce((SELECT max(last_seq) FROM audit_segments WHERE account_id = archived_account), 0)
    THEN RAISE EXCEPTION 'the entries have changed since they were read' USING ERRCODE = 'object_not_in_prerequisite_state'; END IF;
    WITH removed AS (
      DELETE FROM audit_entries WHERE account_id = archived_account AND seq BETWEEN from_seq AND to_seq
      RETURNING seq, event_type, occurred_at, vault_id, body, hash),
    deletions AS (
      INSERT INTO audit_archived_deletions (account_id, vault_id)
      SELECT archived_account, vault_id FROM removed WHERE event_type = 'vault_deleted' AND vault_id IS NOT NULL
      ON CONFLICT DO NOTHING)
    INSERT INTO audit_segments (account_id, first_seq, last_seq, first_at, last_at, hash, object_key, digest, filter)
    SELECT archived_account, from_seq, to_seq, min(occurred_at), max(occurred_at), (SELECT hash FROM removed WHERE seq = to_seq),
           stored_as, stored_digest, entry_filter
      FROM removed HAVING count(*) = to_seq - from_seq + 1 AND count(*) FILTER (WHERE body IS NULL) = without_body;
    GET DIAGNOSTICS recorded = ROW_COUNT;
    IF recorded <> 1
    THEN RAISE EXCEPTION 'the entries have changed since they were read' USING ERRCODE = 'object_not_in_prerequisite_state'; END IF;
  END $$`;
