import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { AppError, type AccountContext } from '@vaultsvc/contracts';
import { sparkRead, type SparkReading } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, type Queryable, statement } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import type { SealedSpark, SparkIdentity } from './spark-sealer.js';
import { actorOf } from '../call-context.js';

/** Seconds after which a read lock is stale and another reader may take it over (SPK-32). */
export const LOCK_SECONDS = 30;

/** A Spark under this reader's lock. */
export interface Claim extends SparkIdentity, SealedSpark {
  readonly lockToken: string;
  readonly filename: string | null;
  readonly sizeBytes: number;
  readonly createdAt: number;
}

/** Who reads, as the event tells it. */
export interface Reading {
  readonly actor: Pick<SparkReading, 'actor_type' | 'actor_id' | 'reader_account_id'>;
  readonly requestId: string;
}

/**
 * The fenced burn (ADR 3): claim with a fresh lock token, open in memory, burn where the token
 * still holds. Only the burn discloses, and the database lets one burn through: a reader that lost its lock meanwhile
 * finds no row, whatever it holds in memory.
 */
@Injectable()
export class BurnRepository {
  readonly #logger = new Logger('burn');

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Takes the read lock, or throws why there is nothing to read: unknown or foreign, burned, expired, being read. */
  async claimForReading(id: string, readerAccountId: string): Promise<Claim> {
    const lockToken = randomUUID();
    const [row] = await this.database.query<ClaimRow>(claim, [id, readerAccountId, lockToken]);
    if (!row) throw await this.#refusal(id, readerAccountId);
    return toClaim(id, lockToken, row);
  }

  /** When it was burned, in epoch seconds. Throws SPARK_BURNED when the lock was lost: the content must not be shown. */
  async burn(claim: Claim, context: AccountContext): Promise<number> {
    const { accountId } = context.credential;
    const actor = { ...actorOf(context), reader_account_id: accountId };
    const burnedAt = await this.burnIn(this.database, claim, { actor, requestId: context.requestId });
    this.outbox.wake();
    return burnedAt;
  }

  /** As `burn`, within the caller's transaction, which commits it or not; wake the outbox after it has. */
  async burnIn(tx: Queryable, { id, lockToken }: Claim, { actor, requestId }: Reading): Promise<number> {
    const values = [id, lockToken, actor.reader_account_id, requestId, JSON.stringify(actor)];
    const [row] = await tx.query<{ burned_at: number }>(burn, values);
    if (!row) throw new AppError('SPARK_BURNED');
    return row.burned_at;
  }

  /**
   * Gives the lock back after a failure, so that the Spark need not wait until the lock is stale. Harmless when the
   * outcome of a burn is unknown: it touches the row only while the token holds.
   */
  async release({ id, lockToken }: Claim): Promise<void> {
    await this.database
      .query(release, [id, lockToken])
      .catch((error: unknown) =>
        this.#logger.warn({ msg: 'read lock not released, it becomes stale instead', err: error }),
      );
  }

  async #refusal(id: string, readerAccountId: string): Promise<AppError> {
    const [row] = await this.database.query<{ is_burned: boolean; is_expired: boolean }>(whyNotReadable, [
      id,
      readerAccountId,
    ]);
    if (!row) return new AppError('SPARK_NOT_FOUND');
    if (row.is_burned) return new AppError('SPARK_BURNED');
    return new AppError(row.is_expired ? 'SPARK_EXPIRED' : 'SPARK_READ_IN_FLIGHT');
  }
}

interface ClaimRow {
  account_id: string;
  kindling: string | null;
  content_type: string;
  filename: string | null;
  size_bytes: number;
  created_at: number;
  kid: string;
  wrapped_dek: Buffer;
  ciphertext: Buffer;
}

function toClaim(id: string, lockToken: string, row: ClaimRow): Claim {
  return {
    id,
    lockToken,
    accountId: row.account_id,
    kindling: row.kindling,
    contentType: row.content_type,
    filename: row.filename,
    sizeBytes: row.size_bytes,
    createdAt: row.created_at,
    kid: row.kid,
    wrappedDek: row.wrapped_dek,
    ciphertext: row.ciphertext,
  };
}

// A foreign Spark without a kindling looks like a missing one (AMB-06).
const VISIBLE = `id = $1 AND (kindling IS NOT NULL OR account_id = $2)`;

/**
 * The claim commits without waiting for the disk, in this transaction only: if a crash of PostgreSQL loses it, the
 * Spark is unread and this reader's token is nowhere, so its burn finds nothing. The burn waits.
 */
export const claim = statement(
  'sparks.claim',
  `WITH claimed AS (
     UPDATE sparks SET status = 'reading', lock_token = $3, locked_at = clock_timestamp()
      WHERE ${VISIBLE} AND expires_at > clock_timestamp()
        AND (status = 'active' OR (status = 'reading' AND locked_at < clock_timestamp() - interval '${LOCK_SECONDS} seconds'))
     RETURNING account_id, kindling, content_type, filename, size_bytes, created_at, kid, wrapped_dek, ciphertext)
   SELECT account_id, kindling, content_type, filename, size_bytes, kid, wrapped_dek, ciphertext,
          ${epochSeconds('created_at')},
          set_config('synchronous_commit', 'off', true)
     FROM claimed`,
);

export const burn = statement(
  'sparks.burn',
  `WITH burned AS (
     UPDATE sparks
        SET status = 'ash', burned_at = clock_timestamp(), wrapped_dek = NULL, ciphertext = NULL, lock_token = NULL, locked_at = NULL
      WHERE id = $1 AND status = 'reading' AND lock_token = $2
     RETURNING account_id, size_bytes, burned_at),
   told AS (
     INSERT INTO outbox (name, account_id, request_id, payload)
     SELECT '${sparkRead.name}', $3, $4,
            $5::jsonb || jsonb_build_object('spark_id', $1::text, 'account_id', account_id, 'size_bytes', size_bytes)
       FROM burned)
   SELECT ${epochSeconds('burned_at')} FROM burned`,
);

const release = statement(
  'sparks.release',
  `UPDATE sparks SET status = 'active', lock_token = NULL, locked_at = NULL
    WHERE id = $1 AND status = 'reading' AND lock_token = $2`,
);

const whyNotReadable = statement(
  'sparks.why-not-readable',
  `SELECT status = 'ash' AS is_burned, expires_at <= clock_timestamp() AS is_expired FROM sparks WHERE ${VISIBLE}
   UNION ALL
   SELECT is_burned, true FROM spent_sparks WHERE id = $1 AND (has_kindling OR account_id = $2)`,
);
