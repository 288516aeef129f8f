import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sends whose content is in the message itself have no grants; their content is sealed until their history ends (NTF-26). */
export class StorePlaintext1767100000000 implements MigrationInterface {
  readonly name = 'StorePlaintext1767100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE recipients
      ALTER COLUMN link_id DROP NOT NULL,
      ALTER COLUMN asset_id DROP NOT NULL,
      ADD CONSTRAINT recipients_grant CHECK ((link_id IS NULL) = (asset_id IS NULL))`);
    await runner.query(`CREATE TABLE plaintext_contents (
      send uuid PRIMARY KEY REFERENCES sends ON DELETE CASCADE,
      content_type text NOT NULL,
      data_key_id text NOT NULL,
      sealed bytea NOT NULL)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM sends WHERE id IN (SELECT send FROM plaintext_contents)`);
    await runner.query(`DROP TABLE plaintext_contents`);
    await runner.query(`ALTER TABLE recipients
      DROP CONSTRAINT recipients_grant,
      ALTER COLUMN link_id SET NOT NULL,
      ALTER COLUMN asset_id SET NOT NULL`);
  }
}
