import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `connected_at`: when the connection was made or renewed; older events are about an earlier one. `hinted_at`: when an event last
 * said that the provider has ended the connection, until a refresh has answered; `hint_suffices` where no answer ends it, too.
 * `refresh_leased_until`: one refresh at a time, because a provider may rotate refresh tokens. `remote_id` of a revocation: the
 * workspace, portal or org of the token. Older instances leave all of them unset.
 */
export class ConfirmUninstallations1768100000000 implements MigrationInterface {
  readonly name = 'ConfirmUninstallations1768100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE installations
      ADD COLUMN connected_at timestamptz,
      ADD COLUMN hinted_at timestamptz,
      ADD COLUMN hint_due_at timestamptz,
      ADD COLUMN hint_suffices boolean NOT NULL DEFAULT false,
      ADD COLUMN refresh_leased_until timestamptz NOT NULL DEFAULT '-infinity',
      ADD COLUMN is_suspended boolean NOT NULL DEFAULT false`);
    await runner.query(
      `CREATE INDEX installations_hinted ON installations (hint_due_at) WHERE hint_due_at IS NOT NULL`,
    );
    await runner.query(`ALTER TABLE token_revocations ADD COLUMN remote_id text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE token_revocations DROP COLUMN remote_id`);
    await runner.query(`ALTER TABLE installations
      DROP COLUMN connected_at, DROP COLUMN hinted_at, DROP COLUMN hint_due_at, DROP COLUMN hint_suffices,
      DROP COLUMN refresh_leased_until, DROP COLUMN is_suspended`);
  }
}
