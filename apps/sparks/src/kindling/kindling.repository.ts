import { Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';

/** The groups whose shard this is. */
@Injectable()
export class KindlingRepository {
  constructor(private readonly database: Database) {}

  async exists(kindling: string): Promise<boolean> {
    return (await this.database.query(findKindling, [kindling])).length === 1;
  }

  /** Notes that another shard has Sparks of the group, or will have. Returns whether the group exists. */
  async join(kindling: string, shard: number): Promise<boolean> {
    return (await this.database.query(joinKindling, [kindling, shard])).length === 1;
  }

  /** The other shards that may have Sparks of the group. */
  async joinedShards(kindling: string): Promise<readonly number[]> {
    const rows = await this.database.query<{ joined_shards: number[] }>(findShards, [kindling]);
    return rows.flatMap(({ joined_shards }) => joined_shards);
  }
}

const findKindling = statement('sparks.find-kindling', `SELECT 1 FROM kindlings WHERE id = $1`);

/** A change of the row, so that a purge that runs meanwhile looks at it again. */
const joinKindling = statement(
  'sparks.join-kindling',
  `UPDATE kindlings
      SET joined_at = now(),
          joined_shards = CASE WHEN $2 = ANY(joined_shards) THEN joined_shards ELSE joined_shards || $2::int END
    WHERE id = $1 RETURNING 1`,
);

const findShards = statement(
  'sparks.find-kindling-shards',
  `SELECT joined_shards FROM kindlings WHERE id = $1`,
);
