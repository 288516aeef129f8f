import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails to owners of links: wrong codes have closed a link for an identity (OPEN-25). */
export class ReportLockouts1765310000000 implements MigrationInterface {
  readonly name = 'ReportLockouts1765310000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(allow(...formerKinds, 'link_lockout'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM messages WHERE kind = 'link_lockout'`);
    await runner.query(allow(...formerKinds));
  }
}

const formerKinds = ['invitation', 'link_invitation', 'link_delivery', 'link_code', 'domain_warning'];
const allow = (...kinds: string[]) =>
  `ALTER TABLE messages DROP CONSTRAINT messages_kind_check,
     ADD CONSTRAINT messages_kind_check CHECK (kind IN (${kinds.map((kind) => `'${kind}'`).join()}))`;
