import { Injectable } from '@nestjs/common';
import { bytesSent, type SentBytes } from '@vaultsvc/contracts/forge';
import { Database, statement } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';

const BATCH_MAX = 500;

/**
 * Tells of the bytes that a killed process took for downloads and did not tell of; up to 8 MiB of each were perhaps never
 * sent. Any number of copies may.
 */
@Injectable()
export class SettleAbandonedDownloads {
  readonly everySeconds = 60;

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  async run(): Promise<void> {
    while ((await this.#tell()) === BATCH_MAX);
  }

  async #tell(): Promise<number> {
    const told = await this.database.transaction(async (tx) => {
      const rows = await tx.query<SentBytes>(tellUntold, [BATCH_MAX]);
      for (const sending of rows)
        await this.outbox.publish(tx, bytesSent, sending, {
          requestId: null,
          accountId: sending.account_id,
        });
      return rows.length;
    });
    if (told > 0) this.outbox.wake();
    return told;
  }
}

// A download that runs says so every half minute, so what has been silent for two has no process any more.
const tellUntold = statement(
  'forge.tell-untold-bytes',
  `WITH untold AS (
     SELECT lookup, bytes_told FROM istks
      WHERE bytes_moved > bytes_told AND moved_at < now() - interval '2 minutes'
      ORDER BY moved_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   UPDATE istks i SET bytes_told = i.bytes_moved FROM untold
    WHERE i.lookup = untold.lookup
   RETURNING i.account_id, i.vault_id, i.ingot_id, i.version_id, i.bytes_moved - untold.bytes_told AS bytes,
             CASE WHEN untold.bytes_told = 0 THEN 1 ELSE 0 END AS downloads`,
);
