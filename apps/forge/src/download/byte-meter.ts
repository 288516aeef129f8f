import { Injectable } from '@nestjs/common';
import { bytesSent, STREAM_IDLE_SECONDS } from '@vaultsvc/contracts/forge';
import { Database, statement } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { assertUsable, istkRefused, type Istk } from '../istk/istk.js';
import { IstkRepository } from '../istk/istk.repository.js';

/** The bytes that one request reserved, and those of them that it sent. */
export interface TransferredBytes {
  readonly reservedBytes: number;
  readonly sentBytes: number;
  /** Whether the whole requested range was sent. */
  readonly isComplete: boolean;
}

/**
 * Counts the bytes of downloads in the row of their ISTK. A download reserves bytes before it sends them, so concurrent
 * requests in all instances keep one cap, and a revocation reaches each of them.
 */
@Injectable()
export class ByteMeter {
  constructor(
    private readonly database: Database,
    private readonly istks: IstkRepository,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Consumes a single-use ISTK, or uses a streaming one again, and reserves the first bytes: `bytes`, or the rest of the
   * cap; returns their number. Of concurrent uses of a single-use ISTK one succeeds. Throws the 401 of `assertUsable`.
   */
  async start({ lookup }: Istk, bytes: number): Promise<number> {
    const [row] = await this.database.query<{ reserved: number }>(startDownload, [
      lookup,
      bytes,
      STREAM_IDLE_SECONDS,
    ]);
    if (row) return row.reserved;
    assertUsable(await this.istks.find(lookup), 'decrypt');
    throw istkRefused('ISTK_INVALID');
  }

  /** Reserves more bytes for a running download. Throws ISTK_EXHAUSTED at the cap, ISTK_INVALID once revoked. */
  async reserve({ lookup }: Istk, bytes: number): Promise<number> {
    const [row] = await this.database.query<{ reserved: number }>(reserveBytes, [
      lookup,
      bytes,
      STREAM_IDLE_SECONDS,
    ]);
    if (row) return row.reserved;
    const istk = await this.istks.find(lookup);
    throw istkRefused(istk && !istk.isRevoked ? 'ISTK_EXHAUSTED' : 'ISTK_INVALID');
  }

  /** Keeps a running download from being settled as abandoned. Throws ISTK_INVALID once revoked. */
  async heartbeat({ lookup }: Istk): Promise<void> {
    const rows = await this.database.query(heartbeat, [lookup, STREAM_IDLE_SECONDS]);
    if (rows.length === 0) throw istkRefused('ISTK_INVALID');
  }

  /** Returns unsent bytes and publishes the sent ones, in one statement: many requests may end at the same moment. */
  async settle(
    { lookup }: Istk,
    { reservedBytes, sentBytes, isComplete }: TransferredBytes,
    requestId: string,
  ): Promise<void> {
    const values = [lookup, reservedBytes - sentBytes, sentBytes, isComplete, STREAM_IDLE_SECONDS, requestId];
    const events = await this.database.query(settle, values);
    if (events.length > 0) this.outbox.wake();
  }
}

const locked = `WITH locked AS (SELECT lookup, bytes_max, bytes_moved, bytes_told FROM istks WHERE lookup = $1 FOR UPDATE)`;
const renewedIdleUntil = (seconds: string) =>
  `CASE WHEN i.mode = 'stream' THEN now() + ${seconds}::int * interval '1 second' END`;
// RETURNING yields new values; compared with the row as it was locked they give the number of reserved bytes.
const moveBytes = `
  bytes_moved = i.bytes_moved + least($2::bigint, locked.bytes_max - locked.bytes_moved),
  moved_at = clock_timestamp(), idle_until = ${renewedIdleUntil('$3')}`;

const startDownload = statement(
  'forge.start-download',
  `${locked}
   UPDATE istks i SET used_at = coalesce(i.used_at, clock_timestamp()),
          wrapped_key = CASE WHEN i.mode = 'stream' THEN i.wrapped_key END, ${moveBytes}
     FROM locked
    WHERE i.lookup = locked.lookup AND i.operation = 'decrypt' AND i.revoked_at IS NULL
      AND (i.mode = 'stream' OR i.used_at IS NULL) AND least(i.expires_at, i.idle_until) > now()
      AND locked.bytes_moved < locked.bytes_max
   RETURNING i.bytes_moved - locked.bytes_moved AS reserved`,
);

const reserveBytes = statement(
  'forge.reserve-bytes',
  `${locked}
   UPDATE istks i SET ${moveBytes} FROM locked
    WHERE i.lookup = locked.lookup AND i.revoked_at IS NULL AND locked.bytes_moved < locked.bytes_max
   RETURNING i.bytes_moved - locked.bytes_moved AS reserved`,
);

const heartbeat = statement(
  'forge.renew-download',
  `UPDATE istks i SET moved_at = clock_timestamp(), idle_until = ${renewedIdleUntil('$2')}
    WHERE lookup = $1 AND revoked_at IS NULL RETURNING ingot_id`,
);

// SettleAbandonedDownloads may have settled a paused request before: only its unpublished bytes are published.
const settle = statement(
  'forge.settle-download',
  `${locked}, settled AS (
     UPDATE istks i SET bytes_moved = i.bytes_moved - $2::bigint,
            bytes_told = locked.bytes_told
                       + greatest(0, least($3::bigint, locked.bytes_moved - $2::bigint - locked.bytes_told)),
            is_complete = i.is_complete OR $4, moved_at = clock_timestamp(), idle_until = ${renewedIdleUntil('$5')}
       FROM locked
      WHERE i.lookup = locked.lookup
     RETURNING i.account_id, i.vault_id, i.ingot_id, i.version_id, i.bytes_told - locked.bytes_told AS bytes,
               CASE WHEN locked.bytes_told = 0 THEN 1 ELSE 0 END AS downloads)
   INSERT INTO outbox (name, account_id, request_id, payload)
   SELECT '${bytesSent.name}', account_id, $6, to_jsonb(settled) FROM settled WHERE bytes > 0
   RETURNING name`,
);
