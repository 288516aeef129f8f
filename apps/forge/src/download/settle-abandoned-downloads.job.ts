import { Injectable } from '@nestjs/common';
import { bytesSent } from '@vaultsvc/contracts/forge';
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
    for (const step of [settleAbandoned, settleUnreserved])
      while ((await this.#settleBatch(step)) === BATCH_MAX);
  }

  async #settleBatch(step: typeof settleAbandoned): Promise<number> {
    const [settled] = await this.database.query<Settled>(step, [BATCH_MAX]);
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

// TODO(0.2.0): delete this. Downloads that builds before 0.1.0 began have no rows of their own.
const settleUnreserved = statement(
  'forge.settle-unreserved-downloads',
  `WITH abandoned AS (
     SELECT lookup, bytes_told FROM istks
      WHERE bytes_moved > bytes_told AND moved_at < now() - ${LEASE}
        AND NOT EXISTS (SELECT FROM downloads d WHERE d.lookup = istks.lookup)
      ORDER BY moved_at LIMIT $1 FOR UPDATE SKIP LOCKED),
   settled AS (
     UPDATE istks i SET bytes_told = i.bytes_moved FROM abandoned
      WHERE i.lookup = abandoned.lookup
     RETURNING i.account_id, i.vault_id, i.ingot_id, i.version_id, i.bytes_moved - abandoned.bytes_told AS bytes,
               CASE WHEN abandoned.bytes_told = 0 THEN 1 ELSE 0 END AS downloads),
   event AS (
     INSERT INTO outbox (name, account_id, payload)
     SELECT '${bytesSent.name}', account_id, to_jsonb(settled) FROM settled RETURNING name)
   SELECT (SELECT count(*)::int FROM settled) AS downloads, (SELECT count(*)::int FROM event) AS events`,
  hasEvents,
);
