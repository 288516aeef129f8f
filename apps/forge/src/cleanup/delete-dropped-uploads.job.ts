import { Injectable } from '@nestjs/common';
import { Database, runInBatches, statement } from '@vaultsvc/database';

/** As long as the rows of ISTKs (OPEN-50), because /progress shows the upload of an ISTK. */
const KEPT_DAYS = 30;

/** Deletes the rows of dropped versions, after their objects. Instances may run it concurrently. */
@Injectable()
export class DeleteDroppedUploads {
  readonly everySeconds = 600;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await runInBatches(this.database, deleteDropped);
  }
}

const deleteDropped = statement(
  'forge.delete-dropped-uploads',
  `DELETE FROM uploads WHERE version_id IN (
     SELECT version_id FROM uploads
      WHERE status = 'dropped' AND sweep_at IS NULL AND ended_at <= now() - interval '${KEPT_DAYS} days'
      ORDER BY ended_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING version_id`,
);
