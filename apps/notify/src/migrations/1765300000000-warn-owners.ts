import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages of a further kind: warnings to owners that the record of a claimed domain is missing. */
export class WarnOwners1765300000000 implements MigrationInterface {
  readonly name = 'WarnOwners1765300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      kinds(`'invitation', 'link_invitation', 'link_delivery', 'link_code', 'domain_warning'`),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM messages WHERE kind = 'domain_warning'`);
    await runner.query(kinds(`'invitation', 'link_invitation', 'link_delivery', 'link_code'`));
  }
}

const kinds = (list: string) => `
  ALTER TABLE messages
    DROP CONSTRAINT messages_kind_check,
    ADD CONSTRAINT messages_kind_check CHECK (kind IN (${list}))`;
