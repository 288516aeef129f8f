import { Injectable } from '@nestjs/common';
import { bytesSent, STREAM_IDLE_SECONDS } from '@vaultsvc/contracts/forge';
import { Database, statement } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { assertUsable, istkRefused, type Istk } from '../istk/istk.js';
import { IstkRepository } from '../istk/istk.repository.js';

/** What has become of the bytes that one request has taken. */
export interface TransferredBytes {
  readonly reservedBytes: number;
  readonly sentBytes: number;
  /** Whether it was sent all that it asked for. */
  readonly isComplete: boolean;
}

/**
 * The bytes that downloads take of an ISTK before they send them, counted in its row: so any number of requests in any
 * number of processes keep one cap, and a revocation reaches them all.
 */
@Injectable()
export class ByteMeter {
  constructor(
    private readonly database: Database,
    private readonly istks: IstkRepository,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Consumes a single-use ISTK, or uses a streaming one once more, and takes the first bytes: so many, or what is left of
   * the cap. Of many uses of a single-use one at once, one wins. Throws the 401 of `assertUsable`.
   */
  async start({ lookup }: Istk, bytes: number): Promise<number> {
    const [row] = await this.database.query<{ taken: number }>(beginDownload, [
      lookup,
      bytes,
      STREAM_IDLE_SECONDS,
    ]);
    if (row) return row.taken;
    assertUsable(await this.istks.find(lookup), 'decrypt');
    throw istkRefused('ISTK_INVALID');
  }

  /** Takes more for a download that runs. Throws ISTK_EXHAUSTED at the cap, ISTK_INVALID once revoked. */
  async reserve({ lookup }: Istk, bytes: number): Promise<number> {
    const [row] = await this.database.query<{ taken: number }>(takeMore, [
      lookup,
      bytes,
      STREAM_IDLE_SECONDS,
    ]);
    if (row) return row.taken;
    const istk = await this.istks.find(lookup);
    throw istkRefused(istk && !istk.isRevoked ? 'ISTK_EXHAUSTED' : 'ISTK_INVALID');
  }

  /** Says that a download runs, however slowly: nobody else may tell of its bytes. Throws ISTK_INVALID once revoked. */
  async heartbeat({ lookup }: Istk): Promise<void> {
    const rows = await this.database.query(beat, [lookup, STREAM_IDLE_SECONDS]);
    if (rows.length === 0) throw istkRefused('ISTK_INVALID');
  }

  /** Gives back what was not sent and tells of what was, in one statement: many requests may end at the same moment. */
  async settle(
    { lookup }: Istk,
    { reservedBytes: takenBytes, sentBytes, isComplete }: TransferredBytes,
    requestId: string,
  ): Promise<void> {
    const values = [lookup, takenBytes - sentBytes, sentBytes, isComplete, STREAM_IDLE_SECONDS, requestId];
    const told = await this.database.query(settle, values);
    if (told.length > 0) this.outbox.wake();
  }
}

const held = `WITH held AS (SELECT lookup, bytes_max, bytes_moved, bytes_told FROM istks WHERE lookup = $1 FOR UPDATE)`;
const slid = (seconds: string) =>
  `CASE WHEN i.mode = 'stream' THEN now() + ${seconds}::int * interval '1 second' END`;
// RETURNING gives new values: how many were taken shows next to the row as it was when it was locked.
const moveBytes = `
  bytes_moved = i.bytes_moved + least($2::bigint, held.bytes_max - held.bytes_moved),
  moved_at = clock_timestamp(), idle_until = ${slid('$3')}`;

const beginDownload = statement(
  'forge.begin-download',
  `${held}
   UPDATE istks i SET used_at = coalesce(i.used_at, clock_timestamp()),
          wrapped_key = CASE WHEN i.mode = 'stream' THEN i.wrapped_key END, ${moveBytes}
     FROM held
    WHERE i.lookup = held.lookup AND i.operation = 'decrypt' AND i.revoked_at IS NULL
      AND (i.mode = 'stream' OR i.used_at IS NULL) AND least(i.expires_at, i.idle_until) > now()
      AND held.bytes_moved < held.bytes_max
   RETURNING i.bytes_moved - held.bytes_moved AS taken`,
);

const takeMore = statement(
  'forge.take-bytes',
  `${held}
   UPDATE istks i SET ${moveBytes} FROM held
    WHERE i.lookup = held.lookup AND i.revoked_at IS NULL AND held.bytes_moved < held.bytes_max
   RETURNING i.bytes_moved - held.bytes_moved AS taken`,
);

const beat = statement(
  'forge.beat-download',
  `UPDATE istks i SET moved_at = clock_timestamp(), idle_until = ${slid('$2')}
    WHERE lookup = $1 AND revoked_at IS NULL RETURNING ingot_id`,
);

// A job may have told of a request that it took for dead: of its bytes only what is not told yet.
const settle = statement(
  'forge.settle-download',
  `${held}, settled AS (
     UPDATE istks i SET bytes_moved = i.bytes_moved - $2::bigint,
            bytes_told = held.bytes_told
                       + greatest(0, least($3::bigint, held.bytes_moved - $2::bigint - held.bytes_told)),
            is_complete = i.is_complete OR $4, moved_at = clock_timestamp(), idle_until = ${slid('$5')}
       FROM held
      WHERE i.lookup = held.lookup
     RETURNING i.account_id, i.vault_id, i.ingot_id, i.version_id, i.bytes_told - held.bytes_told AS bytes,
               CASE WHEN held.bytes_told = 0 THEN 1 ELSE 0 END AS downloads)
   INSERT INTO outbox (name, account_id, request_id, payload)
   SELECT '${bytesSent.name}', account_id, $6, to_jsonb(settled) FROM settled WHERE bytes > 0
   RETURNING name`,
);
