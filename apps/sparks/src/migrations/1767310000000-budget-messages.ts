import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the messages of other channels, too. Instances of the previous release count mails and texts as before. */
export class BudgetMessages1767310000000 implements MigrationInterface {
  readonly name = 'BudgetMessages1767310000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(allow(`'email', 'phone', 'other'`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM message_counts WHERE channel = 'other'`);
    await runner.query(allow(`'email', 'phone'`));
  }
}

const allow = (channels: string) => `
  ALTER TABLE message_counts DROP CONSTRAINT message_counts_channel_check,
    ADD CONSTRAINT message_counts_channel_check CHECK (channel IN (${channels}))`;
