import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Labels of Sparks in their history. They are beside the audit log, whose chain nothing leaves, because they can be purged there. */
export class AddSparkLabels1770000000009 implements MigrationInterface {
  readonly name = 'AddSparkLabels1770000000009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE spark_labels (
         spark_id text COLLATE "C" PRIMARY KEY,
         account_id text COLLATE "C" NOT NULL,
         label text NOT NULL,
         purge_at timestamptz NOT NULL
       )`,
    );
    await runner.query(`CREATE INDEX spark_labels_by_purge ON spark_labels (purge_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE spark_labels`);
  }
}
