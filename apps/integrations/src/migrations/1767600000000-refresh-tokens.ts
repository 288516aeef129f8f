import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the tokens of a connection are refreshed next; at once for connections of earlier releases. */
export class RefreshTokens1767600000000 implements MigrationInterface {
  readonly name = 'RefreshTokens1767600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE installations ADD COLUMN refresh_at timestamptz NOT NULL DEFAULT now()`);
    await runner.query(
      `CREATE INDEX installations_refresh ON installations (refresh_at) WHERE status = 'active' AND sealed IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE installations DROP COLUMN refresh_at`);
  }
}
