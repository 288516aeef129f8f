import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Claims of the Sparks of running retrievals, deleted by the commit that releases them. `payload` is that of the event of
 * an abandoned claim.
 */
export class KeepClaims1764610000000 implements MigrationInterface {
  readonly name = 'KeepClaims1764610000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE spark_claims (
         id uuid PRIMARY KEY,
         account_id text COLLATE "C" NOT NULL,
         request_id text NOT NULL,
         payload jsonb NOT NULL,
         created_at timestamptz NOT NULL DEFAULT now()
       )`,
    );
    await runner.query(`CREATE INDEX spark_claims_by_age ON spark_claims (created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE spark_claims`);
  }
}
