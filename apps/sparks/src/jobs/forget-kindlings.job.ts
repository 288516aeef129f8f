import { Injectable } from '@nestjs/common';
import { Database, inBatches, statement } from '@vaultsvc/database';

/** A group is forgotten when it is 30 days old and none of its Sparks is listed any more. */
@Injectable()
export class ForgetKindlings {
  readonly everySeconds = 3_600;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await inBatches(this.database, forget);
  }
}

const forget = statement(
  'sparks.forget-kindlings',
  `DELETE FROM kindlings WHERE id IN (
     SELECT k.id FROM kindlings k
      WHERE k.created_at <= now() - interval '30 days' AND NOT EXISTS (SELECT 1 FROM sparks WHERE kindling = k.id)
      ORDER BY k.created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);
