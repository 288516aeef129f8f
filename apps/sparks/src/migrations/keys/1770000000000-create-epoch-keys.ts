import { CREATE_DATA_KEYS_SQL, DROP_DATA_KEYS_SQL } from '@vaultsvc/crypto/data-keys';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The table of epoch keys, in the keys database (ADR 21). */
export class CreateEpochKeys1770000000000 implements MigrationInterface {
  readonly name = 'CreateEpochKeys1770000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CREATE_DATA_KEYS_SQL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DROP_DATA_KEYS_SQL);
  }
}
