import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `actor_id` repeats what the body of an entry says, for lists of the entries of one actor. It is erased with the body. */
export class AddAuditActors1770000000007 implements MigrationInterface {
  readonly name = 'AddAuditActors1770000000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE audit_entries ADD COLUMN actor_id text COLLATE "C"`);
    await runner.query(
      `UPDATE audit_entries SET actor_id = coalesce(body::jsonb #>> '{details,actor,id}', body::jsonb ->> 'actor_id') WHERE body IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX audit_of_actor ON audit_entries (account_id, actor_id, event_type, seq) WHERE actor_id IS NOT NULL`,
    );
    await runner.query(eraseWith('vault_id = NULL, ingot_id = NULL, actor_id = NULL'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(eraseWith('vault_id = NULL, ingot_id = NULL'));
    await runner.query(`ALTER TABLE audit_entries DROP COLUMN actor_id`);
  }
}

/** Keeps the account's record that the vault existed: vault_created and vault_deleted. */
const eraseWith = (columns: string) => `
  CREATE OR REPLACE FUNCTION erase_audit_entries(erased_account text, erased_vault text, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  DECLARE erased integer;
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM audit_entries WHERE account_id = erased_account AND vault_id = erased_vault AND event_type = 'vault_deleted')
    THEN RAISE EXCEPTION 'the audit log has no deletion of this vault' USING ERRCODE = 'insufficient_privilege'; END IF;
    UPDATE audit_entries SET body = NULL, salt = NULL, ${columns}
     WHERE (account_id, seq) IN (
       SELECT account_id, seq FROM audit_entries
        WHERE account_id = erased_account AND vault_id = erased_vault AND event_type NOT IN ('vault_created', 'vault_deleted')
        ORDER BY seq LIMIT most);
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN erased;
  END $$`;
