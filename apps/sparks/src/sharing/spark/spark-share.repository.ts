import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { sparklinkCreated, type Visibility } from '@vaultsvc/contracts/sparks';
import {
  ConcurrentModification,
  Database,
  epochSeconds,
  namedStatement,
  statement,
} from '@vaultsvc/database';
import { CREATOR_COLUMNS, creatorOfActor } from '../../creators/creator-sql.js';
import { InviteRepository, type NewInvite } from '../../link/invite.repository.js';
import type { MintedLink } from '../../link/link-sealer.js';
import { insertLinkEvents, LINK_EVENT_COLUMNS, type LinkCause } from '../../link/link-events-sql.js';
import { LinkMessageQueue } from '../../message/link-message-queue.js';
import { LOCK_SECONDS } from '../../spark/burning/burn-statements.js';
import { TombstoneRepository } from '../../spark/burning/tombstone.repository.js';

/** The longest lifetime of a Spark, and so of its link. */
const TTL_SECONDS_MAX = 86_400;

/** The first link of a Spark, or the one after a link that ended, before its insertion. */
export interface NewShare {
  readonly linkId: string;
  readonly sparkId: string;
  readonly accountId: string;
  readonly minted: MintedLink;
  readonly visibility: Visibility;
  readonly invites: readonly NewInvite[];
  /** Capped at the Spark's expiry, which is also the default. */
  readonly ttlSeconds: number | undefined;
}

/** Epoch seconds of the database's clock. */
export interface ShareTimes {
  readonly created_at: number;
  readonly expires_at: number;
}

/** Creates the link of a Spark, and checks whether a Spark can be shared. */
@Injectable()
export class SparkShareRepository {
  constructor(
    private readonly database: Database,
    private readonly invites: InviteRepository,
    private readonly messages: LinkMessageQueue,
    private readonly tombstones: TombstoneRepository,
  ) {}

  /** Throws SPARK_NOT_FOUND for an unknown Spark and for one of another account, even in a group (SPK-46). */
  async assertOwn(sparkId: string, accountId: string): Promise<void> {
    await this.#stateOf(sparkId, accountId);
  }

  /** Throws as `assertOwn`, and SPARK_BURNED, SPARK_EXPIRED or SPARK_READ_IN_FLIGHT. */
  async assertShareable(sparkId: string, accountId: string): Promise<void> {
    const { is_burned, is_expired, is_locked } = await this.#stateOf(sparkId, accountId);
    if (is_burned) throw new AppError('SPARK_BURNED');
    if (is_expired) throw new AppError('SPARK_EXPIRED');
    if (is_locked) throw new AppError('SPARK_READ_IN_FLIGHT');
  }

  /** Throws ConcurrentModification when the Spark has a link by now, or cannot be shared any more. */
  async create(share: NewShare, cause: LinkCause): Promise<ShareTimes> {
    const invitations = await this.messages.sealInvitations(share.accountId, share.invites);
    return this.database.transaction(async (tx) => {
      await tx.query(releaseExpired, [share.sparkId, share.accountId]);
      const [created] = await tx.query<ShareTimes>(
        insertShare,
        insertShare.valuesOf(shareInsertOf(share, cause)),
      );
      if (!created) throw new ConcurrentModification();
      await this.invites.apply(tx, { removed: [], added: share.invites });
      await this.messages.enqueue(tx, invitations, cause.requestId);
      return created;
    });
  }

  async #stateOf(sparkId: string, accountId: string): Promise<SparkState> {
    const [state] = await this.database.query<SparkState>(findState, [sparkId, accountId]);
    if (state) return state;
    const tombstone = await this.tombstones.find(sparkId, accountId);
    if (!tombstone?.is_own) throw new AppError('SPARK_NOT_FOUND');
    return { is_burned: tombstone.is_burned, is_expired: true, is_locked: false };
  }
}

interface SparkState {
  is_burned: boolean;
  is_expired: boolean;
  is_locked: boolean;
}

function shareInsertOf(
  { linkId, sparkId, accountId, minted, visibility, ttlSeconds = TTL_SECONDS_MAX }: NewShare,
  { requestId, actor }: LinkCause,
) {
  const { codeHash, kid, sealedCode } = minted;
  const seconds = Math.min(ttlSeconds, TTL_SECONDS_MAX);
  const code = { codeHash, kid, sealedCode };
  return {
    linkId,
    sparkId,
    accountId,
    ...code,
    visibility,
    seconds,
    requestId,
    actor: JSON.stringify(actor),
  };
}

const IS_LOCKED = `coalesce(locked_at > clock_timestamp() - interval '${LOCK_SECONDS} seconds', false)`;

/** A Spark that `assertShareable` accepts, as the condition of a statement. */
export const IS_SHAREABLE = `status <> 'ash' AND expires_at > clock_timestamp() AND NOT ${IS_LOCKED}`;

const findState = statement(
  'sparks.find-spark-to-share',
  `SELECT status = 'ash' AS is_burned, expires_at <= clock_timestamp() AS is_expired, ${IS_LOCKED} AS is_locked
     FROM sparks WHERE id = $1 AND account_id = $2`,
);

/** The expired link stays listed under its code, and leaves its place in the unique index to its successor. */
const releaseExpired = statement(
  'sparks.release-expired-share',
  `UPDATE sparklinks SET is_managed = false
    WHERE asset_id = $1 AND account_id = $2 AND expires_at <= clock_timestamp()`,
);

/**
 * FOR SHARE locks the Spark until the commit, which serializes the insert with a burn or a deletion. Of two concurrent
 * first shares the unique index lets one insert. The link of a link Spark keeps the bound address of its predecessor:
 * an owner who revokes a link and shares again does not ask for a link without that restriction.
 */
const insertShare = namedStatement<ReturnType<typeof shareInsertOf>>(
  'sparks.insert-share',
  (v) => `
   WITH spark AS (
     SELECT id, account_id, expires_at FROM sparks
      WHERE id = ${v.sparkId} AND account_id = ${v.accountId} AND ${IS_SHAREABLE}
        FOR SHARE),
   created AS (
     INSERT INTO sparklinks (id, code_hash, kid, sealed_code, asset_id, account_id, link_type, visibility, expires_at, ${CREATOR_COLUMNS}, bound_ip)
     SELECT ${v.linkId}::uuid, ${v.codeHash}::bytea, ${v.kid}, ${v.sealedCode}::bytea, id, account_id, 'spark', ${v.visibility},
            least(expires_at, clock_timestamp() + make_interval(secs => ${v.seconds})), ${creatorOfActor(v.actor)},
            (SELECT l.bound_ip FROM sparklinks l WHERE l.asset_id = spark.id AND l.bound_ip IS NOT NULL LIMIT 1)
       FROM spark
     ON CONFLICT (asset_id) WHERE is_managed AND status <> 'revoked' DO NOTHING
     RETURNING ${LINK_EVENT_COLUMNS}, created_at),
   event AS (${insertLinkEvents(sparklinkCreated, 'created', v.requestId, v.actor)})
   SELECT ${epochSeconds('created_at')},
          ${epochSeconds('expires_at')}
     FROM created`,
);
