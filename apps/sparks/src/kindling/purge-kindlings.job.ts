import { Injectable } from '@nestjs/common';
import { Database, runInBatches, statement } from '@vaultsvc/database';
import { JOINED_FOR } from './kindling.repository.js';

/** Deletes a kindling that is 30 days old once none of its Sparks is listed any more, on this shard or another. */
@Injectable()
export class PurgeKindlings {
  readonly everySeconds = 3_600;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await runInBatches(this.database, purgeKindlings);
  }
}

const purgeKindlings = statement(
  'sparks.purge-kindlings',
  `DELETE FROM kindlings WHERE id IN (
     SELECT k.id FROM kindlings k
      WHERE k.created_at <= now() - interval '30 days' AND NOT EXISTS (SELECT 1 FROM sparks WHERE kindling = k.id)
        AND (k.joined_at IS NULL OR k.joined_at <= now() - interval '${JOINED_FOR}')
      ORDER BY k.created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);
