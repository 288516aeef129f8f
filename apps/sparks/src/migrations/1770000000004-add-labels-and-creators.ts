import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The label of a Spark, in plain text, and the creators of Sparks and links: `creator_id` is the user, the API key or the link
 * whose visitor replied, `creator` the exact actor where there is another. Instances of the release before store neither. No
 * index covers the new columns, so a burn stays a HOT update.
 */
export class AddLabelsAndCreators1770000000004 implements MigrationInterface {
  readonly name = 'AddLabelsAndCreators1770000000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE sparks ADD COLUMN label text, ADD COLUMN creator_id text COLLATE "C", ADD COLUMN creator jsonb`,
    );
    await runner.query(
      `ALTER TABLE sparklinks ADD COLUMN creator_id text COLLATE "C", ADD COLUMN creator jsonb`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sparklinks DROP COLUMN creator_id, DROP COLUMN creator`);
    await runner.query(`ALTER TABLE sparks DROP COLUMN label, DROP COLUMN creator_id, DROP COLUMN creator`);
  }
}
