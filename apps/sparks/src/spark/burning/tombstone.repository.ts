import { Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';
import { SparksConfig } from '../../config.js';

/** How a Spark ended that is no longer listed. */
export interface Tombstone {
  /** Otherwise it expired unread. */
  readonly is_burned: boolean;
  /** Whether the account that asks created it; otherwise it was in a group. */
  readonly is_own: boolean;
}

/**
 * The tombstones of burned and expired Sparks: reading one answers 403 and not 404 (SPK-29, SPK-51). A look-up visits the
 * index of every month, so look among the listed Sparks first.
 */
@Injectable()
export class TombstoneRepository {
  constructor(
    private readonly database: Database,
    private readonly config: SparksConfig,
  ) {}

  /** Undefined for an unknown id, for another account's Spark outside of any group, and after SPARK_TOMBSTONE_MONTHS. */
  async find(id: string, accountId: string): Promise<Tombstone | undefined> {
    const values = [id, accountId, this.config.SPARK_TOMBSTONE_MONTHS];
    const [row] = await this.database.query<Tombstone & Record<string, unknown>>(findTombstone, values);
    return row;
  }

  /** Deletes the tombstone of a Spark that expired unread: reading it answers 404 from now on (AMB-05). */
  async deleteUnread(id: string, accountId: string): Promise<void> {
    await this.database.query(deleteUnread, [id, accountId]);
  }

  /** Creates the partitions of the coming months, and drops those that SPARK_TOMBSTONE_MONTHS ends. Idempotent. */
  async maintainPartitions(): Promise<void> {
    await this.database.query(addPartitions);
    const months = this.config.SPARK_TOMBSTONE_MONTHS;
    if (months > 0) await this.database.query(dropPartitions, [months]);
  }
}

const findTombstone = statement(
  'sparks.find-tombstone',
  `SELECT is_burned, account_id = $2 AS is_own FROM spent_sparks
    WHERE id = $1 AND (has_kindling OR account_id = $2)
      AND ($3::integer = 0 OR expires_at > now() - make_interval(months => $3))`,
);

const deleteUnread = statement(
  'sparks.delete-tombstone',
  `DELETE FROM spent_sparks WHERE id = $1 AND account_id = $2 AND NOT is_burned`,
);

const addPartitions = statement(
  'sparks.add-tombstone-partitions',
  `SELECT add_tombstone_partitions('spent_sparks')`,
);

const dropPartitions = statement(
  'sparks.drop-tombstone-partitions',
  `SELECT drop_tombstone_partitions('spent_sparks', now() - make_interval(months => $1::integer))`,
);
