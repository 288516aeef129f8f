import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { sparklinkCreated, type Visibility } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, statement } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { InviteRepository, type NewInvite } from '../link/invite.repository.js';
import type { MintedLink } from '../link/link-codes.js';
import {
  insertLinkEvents,
  LINK_EVENT_COLUMNS,
  linkEventValues,
  type LinkCause,
} from '../link/link-events-sql.js';
import { MessageQueue } from '../message/message-queue.js';
import { LOCK_SECONDS } from '../spark/burn.repository.js';

/** No Spark lives longer, so no link needs to. */
const LIFE_SECONDS_MAX = 86_400;

/** A link that is to be made for a Spark. */
export interface NewShare {
  readonly linkId: string;
  readonly sparkId: string;
  readonly accountId: string;
  readonly minted: MintedLink;
  readonly visibility: Visibility;
  readonly invites: readonly NewInvite[];
  /** Capped at the Spark's own end; undefined: that end. */
  readonly lifeSeconds: number | undefined;
}

/** Epoch seconds by the database. */
export interface ShareTimes {
  readonly created_at: number;
  readonly expires_at: number;
}

/** The first sharing of a Spark, and whether it can be shared. */
@Injectable()
export class SparkShareRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly invites: InviteRepository,
    private readonly messages: MessageQueue,
  ) {}

  /** Throws SPARK_NOT_FOUND for an unknown one and for one of another account, also of a group (SPK-46). */
  async assertOwn(sparkId: string, accountId: string): Promise<void> {
    await this.#stateOf(sparkId, accountId);
  }

  /** Throws as `assertOwn`, and for one that is burned, expired or being read. */
  async assertShareable(sparkId: string, accountId: string): Promise<void> {
    const { is_burned, is_expired, is_locked } = await this.#stateOf(sparkId, accountId);
    if (is_burned) throw new AppError('SPARK_BURNED');
    if (is_expired) throw new AppError('SPARK_EXPIRED');
    if (is_locked) throw new AppError('SPARK_READ_IN_FLIGHT');
  }

  /** Makes the one link of a Spark; undefined when there is one already, or the Spark cannot be shared any more. */
  async make(share: NewShare, cause: LinkCause): Promise<ShareTimes | undefined> {
    const invitations = await this.messages.invitations(share.accountId, share.invites);
    const times = await this.database.transaction(async (tx) => {
      const [made] = await tx.query<ShareTimes>(insertShare, valuesOf(share, cause));
      if (!made) return undefined;
      await this.invites.apply(tx, { dropped: [], added: share.invites });
      await this.messages.owe(tx, invitations, cause.requestId);
      return made;
    });
    this.outbox.wake();
    return times;
  }

  async #stateOf(sparkId: string, accountId: string): Promise<SparkState> {
    const [state] = await this.database.query<SparkState>(findState, [sparkId, accountId]);
    if (!state) throw new AppError('SPARK_NOT_FOUND');
    return state;
  }
}

interface SparkState {
  is_burned: boolean;
  is_expired: boolean;
  is_locked: boolean;
}

function valuesOf(
  { linkId, sparkId, accountId, minted, visibility, lifeSeconds = LIFE_SECONDS_MAX }: NewShare,
  cause: LinkCause,
): unknown[] {
  const { codeHash, kid, sealedCode } = minted;
  const seconds = Math.min(lifeSeconds, LIFE_SECONDS_MAX);
  const link = [linkId, sparkId, accountId, codeHash, kid, sealedCode, visibility, seconds];
  return [...link, ...linkEventValues(cause)];
}

const IS_LOCKED = `coalesce(locked_at > clock_timestamp() - interval '${LOCK_SECONDS} seconds', false)`;

const findState = statement(
  'sparks.find-spark-to-share',
  `SELECT status = 'ash' AS is_burned, expires_at <= clock_timestamp() AS is_expired, ${IS_LOCKED} AS is_locked
     FROM sparks WHERE id = $1 AND account_id = $2
   UNION ALL
   SELECT is_burned, true, false FROM spent_sparks WHERE id = $1 AND account_id = $2`,
);

/**
 * Holds the Spark until the commit: a burn or a deletion comes wholly before this link or wholly after it. Of two first
 * shares the unique index lets one through. A link Spark that was bound to an address stays so: nobody who withdraws its
 * link and makes another asks for one that opens from anywhere.
 */
const insertShare = statement(
  'sparks.insert-share',
  `WITH spark AS (
     SELECT id, account_id, expires_at FROM sparks
      WHERE id = $2 AND account_id = $3 AND status <> 'ash' AND expires_at > clock_timestamp() AND NOT ${IS_LOCKED}
        FOR SHARE),
   made AS (
     INSERT INTO sparklinks (id, code_hash, kid, sealed_code, asset_id, account_id, link_type, visibility, expires_at, bound_ip)
     SELECT $1::uuid, $4::bytea, $5, $6::bytea, id, account_id, 'spark', $7,
            least(expires_at, clock_timestamp() + make_interval(secs => $8)),
            (SELECT l.bound_ip FROM sparklinks l WHERE l.asset_id = spark.id AND l.bound_ip IS NOT NULL LIMIT 1)
       FROM spark
     ON CONFLICT (asset_id) WHERE is_managed AND status <> 'revoked' DO NOTHING
     RETURNING ${LINK_EVENT_COLUMNS}, created_at, expires_at),
   told AS (${insertLinkEvents(sparklinkCreated, 'made', '$9', '$10')})
   SELECT ${epochSeconds('created_at')},
          ${epochSeconds('expires_at')}
     FROM made`,
);
