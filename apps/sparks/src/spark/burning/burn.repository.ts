import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { actorOf, AppError, type AccountContext } from '@vaultsvc/contracts';
import type { SparkReading } from '@vaultsvc/contracts/sparks';
import { Database, type Queryable, statement } from '@vaultsvc/database';
import type { SparkIdentity } from '../sealing/spark-key.js';
import type { SealedSpark } from '../sealing/spark-sealer.js';
import { burnSharing, burnStatement, claimStatement } from './burn-statements.js';
import { isVisibleTo } from './spark-sql.js';
import { TombstoneRepository } from './tombstone.repository.js';

/** A Spark as a reader finds it, still encrypted. */
export interface UnreadSpark extends SparkIdentity, SealedSpark {
  readonly filename: string | null;
  readonly sizeBytes: number;
  readonly createdAt: number;
  /** The content that it shares with the other Sparks of a send; null for one of its own. */
  readonly contentId: string | null;
}

/** A Spark under this reader's lock. */
export interface Claim extends UnreadSpark {
  readonly lockToken: string;
}

/** The reader in the event of the burn. */
export interface Reading {
  readonly actor: Pick<SparkReading, 'actor_type' | 'actor_id' | 'actor' | 'reader_account_id'>;
  readonly requestId: string;
}

/**
 * Makes a Spark readable at most once, by a claim and a fenced burn (ADR 3). `OptimisticBurn` (../optimistic-burn.ts) does without
 * the claim for Sparks of at most 32 KiB whose key is in memory. The statements of both are in burn-statements.ts.
 *
 * 1. `claimForReading` locks the Spark: one conditional UPDATE sets `reading` and a fresh random `lock_token`. Of
 *    concurrent readers one gets the row, the others throw. A lock is stale after 30 s, so a crashed reader blocks it no
 *    longer than that.
 * 2. The reader decrypts the content in memory and discloses nothing yet.
 * 3. `burn` sets `ash` and deletes key and ciphertext where `lock_token` is still this reader's: the token is the fence.
 *    Once another reader has claimed a stale lock, this reader's burn finds no row and throws.
 * 4. The reader discloses the content after the burn has committed. One burn at most succeeds for each Spark.
 *
 * A failure before the burn calls `release`, and the Spark can be read again. A failure after it loses the content.
 */
@Injectable()
export class BurnRepository {
  readonly #logger = new Logger('burn');

  constructor(
    private readonly database: Database,
    private readonly tombstones: TombstoneRepository,
  ) {}

  /** Throws SPARK_NOT_FOUND (also for another account's), SPARK_BURNED, SPARK_EXPIRED or SPARK_READ_IN_FLIGHT. */
  async claimForReading(id: string, readerAccountId: string): Promise<Claim> {
    const lockToken = randomUUID();
    const [row] = await this.database.query<UnreadRow>(claimStatement, [id, readerAccountId, lockToken]);
    if (!row) throw await this.#claimError(id, readerAccountId);
    return { ...toUnread(row), lockToken };
  }

  /** Returns the time of the burn in epoch seconds. Throws SPARK_BURNED when the lock was lost: do not disclose then. */
  async burn(claim: Claim, context: AccountContext): Promise<number> {
    const { accountId } = context.credential;
    const actor = { ...actorOf(context), reader_account_id: accountId };
    return this.burnIn(this.database, claim, { actor, requestId: context.requestId });
  }

  /** As `burn`, in the caller's transaction. */
  async burnIn(
    tx: Queryable,
    { id, lockToken, contentId }: Claim,
    { actor, requestId }: Reading,
  ): Promise<number> {
    const values = [id, lockToken, actor.reader_account_id, requestId, JSON.stringify(actor)];
    const burn = contentId === null ? burnStatement : burnSharing;
    const [row] = await tx.query<{ burned_at: number }>(burn, values);
    if (!row) throw new AppError('SPARK_BURNED');
    return row.burned_at;
  }

  /**
   * Releases the lock after a failure, so that the next reader need not wait until it is stale. Safe when the outcome of
   * a burn is unknown: it changes the row only while the token is this reader's. Never throws.
   */
  async release({ id, lockToken }: Claim): Promise<void> {
    await this.database
      .query(releaseStatement, [id, lockToken])
      .catch((error: unknown) =>
        this.#logger.warn({ msg: 'read lock not released; it will become stale', err: error }),
      );
  }

  async #claimError(id: string, readerAccountId: string): Promise<AppError> {
    const [row] = await this.database.query<ClaimObstacle>(findClaimObstacle, [id, readerAccountId]);
    // A tombstone may have replaced the Spark between the two statements, not the reverse.
    const obstacle = row ?? (await this.#tombstoneOf(id, readerAccountId));
    if (!obstacle) return new AppError('SPARK_NOT_FOUND');
    if (obstacle.is_burned) return new AppError('SPARK_BURNED');
    return new AppError(obstacle.is_expired ? 'SPARK_EXPIRED' : 'SPARK_READ_IN_FLIGHT');
  }

  async #tombstoneOf(id: string, readerAccountId: string): Promise<ClaimObstacle | undefined> {
    const tombstone = await this.tombstones.find(id, readerAccountId);
    return tombstone && { is_burned: tombstone.is_burned, is_expired: true };
  }
}

interface ClaimObstacle {
  is_burned: boolean;
  is_expired: boolean;
}

/** A row of `unreadColumns`. */
export interface UnreadRow {
  id: string;
  account_id: string;
  kindling: string | null;
  content_type: string;
  filename: string | null;
  size_bytes: number;
  created_at: number;
  kid: string;
  wrapped_dek: Buffer;
  ciphertext: Buffer;
  content_id: string | null;
}

export function toUnread(row: UnreadRow): UnreadSpark {
  return {
    id: row.id,
    accountId: row.account_id,
    kindling: row.kindling,
    contentType: row.content_type,
    filename: row.filename,
    sizeBytes: row.size_bytes,
    createdAt: row.created_at,
    kid: row.kid,
    wrappedDek: row.wrapped_dek,
    ciphertext: row.ciphertext,
    contentId: row.content_id,
  };
}

const releaseStatement = statement(
  'sparks.release',
  `UPDATE sparks SET status = 'active', lock_token = NULL, locked_at = NULL
    WHERE id = $1 AND lock_token = $2`,
);

const findClaimObstacle = statement(
  'sparks.find-claim-obstacle',
  `SELECT status = 'ash' AS is_burned, expires_at <= clock_timestamp() AS is_expired FROM sparks WHERE id = $1 AND ${isVisibleTo('$2')}`,
);
