import { Injectable } from '@nestjs/common';
import { bytesSent, type SentBytes } from '@vaultsvc/contracts/forge';
import { Database, statement } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';

const BATCH_MAX = 500;

/**
 * Publishes the bytes that killed processes had reserved for downloads and not settled. Up to 8 MiB of each download may
 * never have been sent. Instances may run it concurrently.
 */
@Injectable()
export class SettleAbandonedDownloads {
  readonly everySeconds = 60;

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  async run(): Promise<void> {
    while ((await this.#settleBatch()) === BATCH_MAX);
  }

  async #settleBatch(): Promise<number> {
    const settled = await this.database.transaction(async (tx) => {
      const rows = await tx.query<SentBytes>(settleAbandoned, [BATCH_MAX]);
      for (const row of rows)
        await this.outbox.publish(tx, bytesSent, row, { requestId: null, accountId: row.account_id });
      return rows.length;
    });
    if (settled > 0) this.outbox.wake();
    return settled;
  }
}

// A running download sends a heartbeat every 30 s, and ends itself after 110 s without one.
const settleAbandoned = statement(
  'forge.settle-abandoned-downloads',
  `WITH abandoned AS (
     SELECT lookup, bytes_told FROM istks
      WHERE bytes_moved > bytes_told AND moved_at < now() - interval '2 minutes'
      ORDER BY moved_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   UPDATE istks i SET bytes_told = i.bytes_moved FROM abandoned
    WHERE i.lookup = abandoned.lookup
   RETURNING i.account_id, i.vault_id, i.ingot_id, i.version_id, i.bytes_moved - abandoned.bytes_told AS bytes,
             CASE WHEN abandoned.bytes_told = 0 THEN 1 ELSE 0 END AS downloads`,
);
