import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Claimed domains are verified again every week. */
export class RecheckDomains1765300000000 implements MigrationInterface {
  readonly name = 'RecheckDomains1765300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE domains
        ADD COLUMN next_check_at timestamptz NOT NULL DEFAULT now() + interval '7 days',
        ADD COLUMN missing_since timestamptz`);
    // Spread over the week, so that the claims of the previous release are not all due at once.
    await runner.query(`UPDATE domains SET next_check_at = now() + random() * interval '7 days'`);
    await runner.query(`CREATE INDEX domains_by_next_check ON domains (next_check_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE domains DROP COLUMN next_check_at, DROP COLUMN missing_since`);
  }
}
