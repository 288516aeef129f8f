import { Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';
import { hasEvents, settlement, type Settled } from './settlement.js';

const BATCH_MAX = 500;

/**
 * Settles downloads whose process was killed: returns their reservations and publishes the bytes that they had counted.
 * Up to 8 MiB of each download may never have been sent. Instances may run it concurrently.
 */
@Injectable()
export class SettleAbandonedDownloads {
  readonly everySeconds = 60;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    while ((await this.#settleBatch()) === BATCH_MAX);
  }

  async #settleBatch(): Promise<number> {
    const [settled] = await this.database.query<Settled>(settleAbandoned, [BATCH_MAX]);
    return settled?.downloads ?? 0;
  }
}

// A running download renews its lease every 30 s, and ends itself after 110 s without a renewal.
const LEASE = `interval '2 minutes'`;

const settleAbandoned = statement(
  'forge.settle-abandoned-downloads',
  settlement({
    ended: `DELETE FROM downloads WHERE download_id IN (
              SELECT download_id FROM downloads WHERE renewed_at < now() - ${LEASE}
               ORDER BY renewed_at LIMIT $1 FOR UPDATE SKIP LOCKED)
            RETURNING lookup, bytes, bytes_moved, bytes_moved AS bytes_sent`,
    requestId: 'NULL',
  }),
  hasEvents,
);
