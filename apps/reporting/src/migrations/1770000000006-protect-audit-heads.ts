import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The role of the running service may insert into the audit log and read it, nothing else: entries, heads of chains, heads in the
 * transparency log, checkpoints. A head has to move with its chain, so the insert of the entries moves it: a trigger, which runs as
 * the owner, accepts entries only where the chain ends. `lock_audit_heads` locks the heads, for which PostgreSQL demands the right to
 * update. The state of the transparency log is one row that has to change; for the role it only grows.
 *
 * An older instance of reporting updates heads itself, which is refused from now on. It records no entries any more: JetStream
 * redelivers the events until an instance of this release applies them. A release that still allowed the update would leave the
 * fault open until the next one.
 */
export class ProtectAuditHeads1770000000006 implements MigrationInterface {
  readonly name = 'ProtectAuditHeads1770000000006';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...functions, ...appendOnly.map(revokeChanges), ...logState])
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER audit_log_state_grows ON audit_log_state`);
    await runner.query(`DROP FUNCTION refuse_log_rewrite`);
    await runner.query(`DROP TRIGGER audit_entries_advance_heads ON audit_entries`);
    await runner.query(`DROP FUNCTION advance_audit_heads, lock_audit_heads`);
    for (const table of appendOnly) await runner.query(toOtherRoles(table, 'GRANT UPDATE, DELETE ON', 'TO'));
    await runner.query(toOtherRoles('audit_log_state', 'GRANT INSERT, DELETE ON', 'TO'));
  }
}

const appendOnly = ['audit_heads', 'audit_logged_heads', 'audit_checkpoints'] as const;

/** A statement for every role besides the owner that may read the table. */
function toOtherRoles(table: string, verb: string, preposition: 'FROM' | 'TO'): string {
  return `DO $$ DECLARE grantee text; BEGIN
     FOR grantee IN SELECT DISTINCT g.grantee FROM information_schema.role_table_grants g
       WHERE g.table_schema = current_schema() AND g.table_name = '${table}' AND g.grantee <> current_user
     LOOP EXECUTE format('${verb} ${table} ${preposition} %I', grantee); END LOOP;
   END $$`;
}

const revokeChanges = (table: string): string =>
  toOtherRoles(table, 'REVOKE UPDATE, DELETE, TRUNCATE ON', 'FROM');

const functions = [
  `CREATE FUNCTION lock_audit_heads(accounts text[]) RETURNS TABLE (account_id text, seq bigint, hash bytea)
   LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
     SELECT h.account_id, h.seq, h.hash FROM audit_heads h WHERE h.account_id = ANY(accounts)
      ORDER BY h.account_id FOR NO KEY UPDATE
   $$`,
  // Only entries that continue their chain without a gap are accepted, so a head never moves back or past an entry.
  `CREATE FUNCTION advance_audit_heads() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
   DECLARE chains integer; advanced integer;
   BEGIN
     SELECT count(DISTINCT account_id) INTO chains FROM appended;
     WITH batch AS (
       SELECT account_id, min(seq) AS first_seq, max(seq) AS last_seq, count(*) AS entries FROM appended GROUP BY account_id)
     UPDATE audit_heads h SET seq = last.seq, hash = last.hash
       FROM batch b JOIN appended last ON last.account_id = b.account_id AND last.seq = b.last_seq
      WHERE h.account_id = b.account_id AND h.seq = b.first_seq - 1 AND b.entries = b.last_seq - b.first_seq + 1;
     GET DIAGNOSTICS advanced = ROW_COUNT;
     IF advanced <> chains
     THEN RAISE EXCEPTION 'entries of the audit log must follow the last one of their chain' USING ERRCODE = 'insufficient_privilege'; END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER audit_entries_advance_heads AFTER INSERT ON audit_entries REFERENCING NEW TABLE AS appended
     FOR EACH STATEMENT EXECUTE FUNCTION advance_audit_heads()`,
];

/** A signed tree cannot be signed again with other leaves: `size` grows by what is staged, which stays until then. */
const logState = [
  toOtherRoles('audit_log_state', 'REVOKE INSERT, DELETE, TRUNCATE ON', 'FROM'),
  `CREATE FUNCTION refuse_log_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF current_user = (SELECT tableowner FROM pg_tables WHERE schemaname = TG_TABLE_SCHEMA AND tablename = TG_TABLE_NAME)
     THEN RETURN NEW; END IF;
     IF NEW.origin IS NOT DISTINCT FROM coalesce(OLD.origin, NEW.origin) AND (
       (NEW.size = OLD.size AND NEW.root = OLD.root AND (OLD.staged IS NULL OR NEW.staged IS NOT DISTINCT FROM OLD.staged))
       OR (NEW.size = OLD.size + OLD.staged_leaves AND NEW.staged IS NULL))
     THEN RETURN NEW; END IF;
     RAISE EXCEPTION 'the transparency log only grows' USING ERRCODE = 'insufficient_privilege';
   END $$`,
  `CREATE TRIGGER audit_log_state_grows BEFORE UPDATE ON audit_log_state
     FOR EACH ROW EXECUTE FUNCTION refuse_log_rewrite()`,
];
