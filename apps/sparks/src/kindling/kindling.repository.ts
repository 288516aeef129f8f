import { Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';

/** A Spark lives for a day, and is listed for another one; two hours are for `JOIN_AGAIN`, calls and clocks. */
export const JOINED_FOR = '50 hours';

/** A shard that adds many Sparks changes the row of the kindling once in this time. */
const JOIN_AGAIN = '1 hour';

/** The kindlings of this shard. */
@Injectable()
export class KindlingRepository {
  constructor(private readonly database: Database) {}

  async exists(kindling: string): Promise<boolean> {
    return (await this.database.query(findKindling, [kindling])).length === 1;
  }

  /** Records that another shard has Sparks of the kindling, or will have. Returns whether the kindling exists. */
  async join(kindling: string, shard: number): Promise<boolean> {
    return (await this.database.query(joinKindling, [kindling, shard])).length === 1;
  }

  /** The other shards that may have listed Sparks of the kindling. */
  async joinedShards(kindling: string): Promise<readonly number[]> {
    const rows = await this.database.query<{ joined_shards: number[] }>(findShards, [kindling]);
    return rows.flatMap(({ joined_shards }) => joined_shards);
  }
}

const findKindling = statement('sparks.find-kindling', `SELECT 1 FROM kindlings WHERE id = $1`);

/** It changes the row, so that a purge that runs meanwhile looks at it again. */
const joinKindling = statement(
  'sparks.join-kindling',
  `WITH joined AS (
     UPDATE kindlings
        SET joined_at = now(),
            joined_shards = CASE WHEN $2 = ANY(joined_shards) THEN joined_shards ELSE joined_shards || $2::int END
      WHERE id = $1 AND (NOT $2 = ANY(joined_shards) OR joined_at < now() - interval '${JOIN_AGAIN}')
      RETURNING id)
   SELECT 1 FROM kindlings WHERE id = $1`,
);

const findShards = statement(
  'sparks.find-kindling-shards',
  `SELECT joined_shards FROM kindlings WHERE id = $1 AND joined_at > now() - interval '${JOINED_FOR}'`,
);
