import { Injectable } from '@nestjs/common';
import { STREAM_IDLE_SECONDS } from '@vaultsvc/contracts/forge';
import { Database, statement } from '@vaultsvc/database';
import { assertUsable, istkRefused, type Istk } from '../istk/istk.js';
import { IstkRepository } from '../istk/istk.repository.js';
import { hasEvents, settlement } from './settlement.js';

/** A started download, and its row. */
export interface MeteredDownload {
  readonly istk: Istk;
  readonly downloadId: number;
}

/** The end of a download. */
export interface TransferredBytes {
  readonly sentBytes: number;
  /** Whether the whole requested range was sent. */
  readonly isComplete: boolean;
}

/**
 * Counts the bytes of downloads in the row of their ISTK. A download reserves its whole answer at its start, so concurrent
 * requests in all instances keep one cap and none is cut at it. It counts bytes in steps before it sends them, and each
 * step notices a revocation or the end of the ISTK.
 */
@Injectable()
export class ByteMeter {
  constructor(
    private readonly database: Database,
    private readonly istks: IstkRepository,
  ) {}

  /**
   * Consumes a single-use ISTK, or uses a streaming one again; reserves the `bytes` of the answer and counts the first
   * ones. Of concurrent uses of a single-use ISTK one succeeds. Throws the 401 of `assertUsable`, and ISTK_EXHAUSTED when
   * the cap has too few bytes left.
   */
  async start(istk: Istk, bytes: number, firstBytes: number): Promise<MeteredDownload> {
    const values = [istk.lookup, bytes, firstBytes, STREAM_IDLE_SECONDS];
    const [row] = await this.database.query<{ download_id: number }>(startDownload, values);
    if (row) return { istk, downloadId: row.download_id };
    assertUsable(await this.istks.find(istk.lookup), 'decrypt');
    throw istkRefused(istk.terms.mode === 'stream' ? 'ISTK_EXHAUSTED' : 'ISTK_INVALID');
  }

  /**
   * Counts more bytes of a running download, and renews its lease. Throws ISTK_INVALID once the ISTK is revoked or the
   * lease has expired, and ISTK_EXPIRED at the end of a streaming ISTK; a single-use one was consumed before its end.
   */
  async count({ istk, downloadId }: MeteredDownload, bytes: number): Promise<void> {
    const rows = await this.database.query(countBytes, [downloadId, bytes, STREAM_IDLE_SECONDS]);
    if (rows.length > 0) return;
    const found = await this.istks.find(istk.lookup);
    throw istkRefused(found?.isExpired && !found.isRevoked ? 'ISTK_EXPIRED' : 'ISTK_INVALID');
  }

  /**
   * Ends a download: returns its unsent bytes and publishes the sent ones, in one statement, because many requests may end
   * at the same moment. Does nothing when SettleAbandonedDownloads has settled it, for example while the process paused.
   */
  async settle(
    { downloadId }: MeteredDownload,
    { sentBytes, isComplete }: TransferredBytes,
    requestId: string,
  ): Promise<void> {
    const values = [downloadId, sentBytes, isComplete, STREAM_IDLE_SECONDS, requestId];
    await this.database.query(settleDownload, values);
  }
}

/** A use never shortens the time for which the ISTK of a link was admitted. */
const renewedIdleUntil = (seconds: string) =>
  `CASE WHEN i.mode = 'stream' THEN greatest(i.idle_until, now() + ${seconds}::int * interval '1 second') END`;

const startDownload = statement(
  'forge.start-download',
  `WITH started AS (
     UPDATE istks i SET used_at = coalesce(i.used_at, clock_timestamp()),
            wrapped_key = CASE WHEN i.mode = 'stream' THEN i.wrapped_key END,
            bytes_moved = i.bytes_moved + $3::bigint, bytes_reserved = i.bytes_reserved + $2::bigint - $3::bigint,
            moved_at = clock_timestamp(), idle_until = ${renewedIdleUntil('$4')}
      WHERE i.lookup = $1 AND i.operation = 'decrypt' AND i.revoked_at IS NULL
        AND (i.mode = 'stream' OR i.used_at IS NULL) AND least(i.expires_at, i.idle_until) > now()
        AND i.bytes_moved + i.bytes_reserved + $2::bigint <= i.bytes_max
     RETURNING i.lookup)
   INSERT INTO downloads (lookup, bytes, bytes_moved) SELECT lookup, $2::bigint, $3::bigint FROM started
   RETURNING download_id`,
);

// Locks the download before its ISTK, as SettleAbandonedDownloads does.
const countBytes = statement(
  'forge.count-bytes',
  `WITH running AS (SELECT download_id, lookup FROM downloads WHERE download_id = $1 FOR UPDATE),
   counted AS (
     UPDATE istks i SET bytes_moved = i.bytes_moved + $2::bigint, bytes_reserved = i.bytes_reserved - $2::bigint,
            moved_at = clock_timestamp(), idle_until = ${renewedIdleUntil('$3')}
       FROM running
      WHERE i.lookup = running.lookup AND i.revoked_at IS NULL
        AND (i.mode = 'once' OR least(i.expires_at, i.idle_until) > now())
     RETURNING running.download_id)
   UPDATE downloads d SET bytes_moved = d.bytes_moved + $2::bigint, renewed_at = clock_timestamp()
     FROM counted WHERE d.download_id = counted.download_id
   RETURNING d.download_id`,
);

// An ISTK that was idle for too long while the download ended is not renewed.
const settleDownload = statement(
  'forge.settle-download',
  settlement({
    ended: `DELETE FROM downloads WHERE download_id = $1
            RETURNING lookup, bytes, bytes_moved, $2::bigint AS bytes_sent`,
    changes: `is_complete = i.is_complete OR $3, moved_at = clock_timestamp(),
              idle_until = CASE WHEN i.idle_until > now() THEN ${renewedIdleUntil('$4')} ELSE i.idle_until END,`,
    requestId: '$5::text',
  }),
  hasEvents,
);
