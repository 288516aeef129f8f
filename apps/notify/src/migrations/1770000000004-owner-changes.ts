import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails to owners about a change of the owners are messages, too (OPEN-59). */
export class OwnerChanges1770000000004 implements MigrationInterface {
  readonly name = 'OwnerChanges1770000000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE messages DROP CONSTRAINT messages_kind_check`);
    await runner.query(
      `ALTER TABLE messages ADD CONSTRAINT messages_kind_check CHECK (kind IN (${kinds})) NOT VALID`,
    );
    await runner.query(`ALTER TABLE messages VALIDATE CONSTRAINT messages_kind_check`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM messages WHERE kind = 'owner_change'`);
    await runner.query(`ALTER TABLE messages DROP CONSTRAINT messages_kind_check`);
    await runner.query(
      `ALTER TABLE messages ADD CONSTRAINT messages_kind_check CHECK (kind IN (${formerKinds}))`,
    );
  }
}

const formerKinds = `'invitation', 'domain_warning', 'link_invitation', 'link_delivery', 'link_code', 'link_lockout', 'notification'`;
const kinds = `${formerKinds}, 'owner_change'`;
