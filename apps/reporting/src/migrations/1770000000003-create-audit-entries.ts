import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The audit log: one chain of entries for each account. The role of the running service may insert and read entries, nothing
 * else. The body of an entry is erased by `erase_audit_entries` alone, which runs as the owner of the table, and for the
 * entries of a deleted vault only; what the chain needs stays.
 */
export class CreateAuditEntries1770000000003 implements MigrationInterface {
  readonly name = 'CreateAuditEntries1770000000003';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...tables, ...protection]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION erase_audit_entries`);
    await runner.query(
      `DROP TABLE audit_link_codes, audit_erasures, audit_logged_heads, audit_entries, audit_heads`,
    );
    await runner.query(`DROP FUNCTION refuse_audit_change`);
  }
}

const tables = [
  // Updated with every batch of events: free space in the page allows HOT updates.
  `CREATE TABLE audit_heads (
     account_id text COLLATE "C" PRIMARY KEY,
     seq bigint NOT NULL,
     hash bytea NOT NULL,
     pseudonym_salt bytea NOT NULL
   ) WITH (fillfactor = 70)`,
  // vault_id, ingot_id and app_id repeat what the body says, for the lists of these scopes.
  `CREATE TABLE audit_entries (
     account_id text COLLATE "C" NOT NULL,
     seq bigint NOT NULL,
     event_type text COLLATE "C" NOT NULL,
     occurred_at timestamptz NOT NULL,
     vault_id text COLLATE "C",
     ingot_id text COLLATE "C",
     app_id text COLLATE "C",
     body text,
     salt bytea,
     body_hash bytea NOT NULL,
     hash bytea NOT NULL,
     PRIMARY KEY (account_id, seq),
     CONSTRAINT body_has_salt CHECK ((body IS NULL) = (salt IS NULL))
   )`,
  // A list merges the newest entries of each of its types, so a rare type is found as fast as a frequent one.
  `CREATE INDEX audit_of_account ON audit_entries (account_id, event_type, seq)`,
  `CREATE INDEX audit_of_vault ON audit_entries (account_id, vault_id, event_type, seq) WHERE vault_id IS NOT NULL`,
  `CREATE INDEX audit_of_ingot ON audit_entries (account_id, ingot_id, event_type, seq) WHERE ingot_id IS NOT NULL`,
  `CREATE INDEX audit_of_app ON audit_entries (account_id, app_id, seq) WHERE app_id IS NOT NULL`,
  // The leaves of the transparency log, by account.
  `CREATE TABLE audit_logged_heads (
     account_id text COLLATE "C" NOT NULL,
     seq bigint NOT NULL,
     leaf_index bigint NOT NULL UNIQUE,
     leaf bytea NOT NULL,
     PRIMARY KEY (account_id, seq)
   )`,
  `CREATE TABLE audit_erasures (
     account_id text COLLATE "C" NOT NULL,
     vault_id text COLLATE "C" NOT NULL,
     deleted_at timestamptz NOT NULL DEFAULT now(),
     erased_at timestamptz,
     PRIMARY KEY (account_id, vault_id)
   )`,
  `COMMENT ON COLUMN audit_erasures.erased_at IS 'null while entries of the deleted vault may have to be erased'`,
  `CREATE INDEX audit_erasures_due ON audit_erasures (deleted_at) WHERE erased_at IS NULL`,
  `CREATE TABLE audit_link_codes (
     link_id text COLLATE "C" PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL,
     vault_id text COLLATE "C",
     code text NOT NULL
   )`,
  `CREATE INDEX audit_link_codes_of_vault ON audit_link_codes (vault_id) WHERE vault_id IS NOT NULL`,
];

const protection = [
  `CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     -- Only the owner of the table, as whom erase_audit_entries runs.
     IF TG_OP = 'UPDATE' AND current_user = (SELECT tableowner FROM pg_tables WHERE schemaname = TG_TABLE_SCHEMA AND tablename = TG_TABLE_NAME)
     THEN RETURN NEW; END IF;
     RAISE EXCEPTION 'entries of the audit log cannot be changed or deleted' USING ERRCODE = 'insufficient_privilege';
   END $$`,
  `CREATE TRIGGER audit_entries_stay BEFORE UPDATE OR DELETE ON audit_entries
     FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()`,
  `CREATE TRIGGER audit_entries_are_not_truncated BEFORE TRUNCATE ON audit_entries
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
  `DO $$ DECLARE grantee text; BEGIN
     FOR grantee IN SELECT DISTINCT g.grantee FROM information_schema.role_table_grants g
       WHERE g.table_schema = current_schema() AND g.table_name = 'audit_entries' AND g.grantee <> current_user
     LOOP EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON audit_entries FROM %I', grantee); END LOOP;
   END $$`,
  // Keeps the account's record that the vault existed: vault_created and vault_deleted. Anyone in the schema may execute it.
  `CREATE FUNCTION erase_audit_entries(erased_account text, erased_vault text, most integer) RETURNS integer
   LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
   DECLARE erased integer;
   BEGIN
     IF NOT EXISTS (SELECT 1 FROM audit_entries WHERE account_id = erased_account AND vault_id = erased_vault AND event_type = 'vault_deleted')
     THEN RAISE EXCEPTION 'the audit log has no deletion of this vault' USING ERRCODE = 'insufficient_privilege'; END IF;
     UPDATE audit_entries SET body = NULL, salt = NULL, vault_id = NULL, ingot_id = NULL
      WHERE (account_id, seq) IN (
        SELECT account_id, seq FROM audit_entries
         WHERE account_id = erased_account AND vault_id = erased_vault AND event_type NOT IN ('vault_created', 'vault_deleted')
         ORDER BY seq LIMIT most);
     GET DIAGNOSTICS erased = ROW_COUNT;
     RETURN erased;
   END $$`,
];
