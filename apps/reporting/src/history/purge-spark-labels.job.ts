import { Injectable } from '@nestjs/common';
import { Database, runInBatches, statement } from '@vaultsvc/database';

/** Deletes labels of Sparks that were created long ago. */
@Injectable()
export class PurgeSparkLabels {
  readonly everySeconds = 3_600;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await runInBatches(this.database, purgeLabels, []);
  }
}

const purgeLabels = statement(
  'history.purge-labels',
  `DELETE FROM spark_labels WHERE spark_id IN (
     SELECT spark_id FROM spark_labels WHERE purge_at <= now() ORDER BY purge_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING spark_id`,
);
