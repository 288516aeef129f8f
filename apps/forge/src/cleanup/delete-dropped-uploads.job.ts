import { Injectable } from '@nestjs/common';
import { Database, runInBatches, statement } from '@vaultsvc/database';

/** As long as an ISTK is remembered (OPEN-50): /progress tells of the upload behind it. */
const REMEMBERED_DAYS = 30;

/** Forgets dropped versions when they are swept to the end and nobody asks for them. Any number of copies may. */
@Injectable()
export class DeleteDroppedUploads {
  readonly everySeconds = 600;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await runInBatches(this.database, forgetDropped);
  }
}

const forgetDropped = statement(
  'forge.forget-dropped',
  `DELETE FROM uploads WHERE version_id IN (
     SELECT version_id FROM uploads
      WHERE status = 'dropped' AND sweep_at IS NULL AND ended_at <= now() - interval '${REMEMBERED_DAYS} days'
      ORDER BY ended_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING version_id`,
);
