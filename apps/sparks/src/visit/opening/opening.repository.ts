import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { sparklinkAccessed, type InteractionOffer } from '@vaultsvc/contracts/sparks';
import { Database, statement, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { assertBeforeDeadline } from '../../call-context.js';
import { linkStateError } from '../../link/link-state-error.js';
import { BurnRepository, type Claim } from '../../spark/burning/burn.repository.js';
import type { OpeningRecord } from './access-recorder.js';
import { LinkPolicyRepository } from '../admission/link-policy.repository.js';
import type { VisitedLink } from '../admission/visited-link.repository.js';

/**
 * Commits an opening. Nothing is disclosed before the commit, and nothing can fail after it. When the link was revoked,
 * consumed or has expired, or the invite was withdrawn, a conditional statement finds no row and the transaction rolls
 * back.
 */
@Injectable()
export class OpeningRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly burns: BurnRepository,
    private readonly policies: LinkPolicyRepository,
  ) {}

  /** The content type of an unread Spark. Throws the same errors as an opening, but ignores a read lock. */
  async contentTypeOf({ assetId, accountId }: VisitedLink): Promise<string> {
    const [row] = await this.database.query<SparkRow>(describeSpark, [assetId, accountId]);
    if (!row) throw new AppError('LINK_NOT_FOUND');
    if (row.is_burned || row.is_expired) throw linkStateError(row.is_burned ? 'consumed' : 'expired');
    return row.content_type;
  }

  /**
   * Burns the claimed Spark and consumes the link, both or neither (LNK-14, LNK-16). Throws SPARK_BURNED when the read
   * lock was lost, LINK_BEING_OPENED when the link is no longer open to this visitor. Returns the offer of a grant.
   */
  async burn(access: OpeningRecord, claim: Claim): Promise<InteractionOffer | undefined> {
    const { id, accountId } = access.link;
    const actor = { actor_type: 'link', actor_id: id, reader_account_id: accountId } as const;
    return this.database.transaction(async (tx) => {
      await this.burns.burnIn(tx, claim, { actor, requestId: access.requestId });
      await this.#consumeOnce(tx, access);
      const offered = await this.#reveal(tx, access);
      await this.#publishInTime(tx, access);
      return offered;
    });
  }

  /** Consumes a one-time link; a durable share stays active. Throws and returns as `burn` does. */
  async consume(access: OpeningRecord): Promise<InteractionOffer | undefined> {
    return this.database.transaction(async (tx) => {
      await (access.link.domain === 'files' ? this.#lockDurable(tx, access) : this.#consumeOnce(tx, access));
      const offered = await this.#reveal(tx, access);
      await this.#publishInTime(tx, access);
      return offered;
    });
  }

  /** The policy of a grant is checked once more: the verification may have become too old since. */
  async #reveal(
    tx: Transaction,
    { reveal, requestId }: OpeningRecord,
  ): Promise<InteractionOffer | undefined> {
    if (!reveal) return undefined;
    const expires_at = await this.policies.reveal(tx, { ...reveal, requestId });
    if (expires_at === undefined) throw new AppError('LINK_BEING_OPENED');
    return { ...reveal.offer, expires_at };
  }

  async #consumeOnce(tx: Transaction, { link, proof, verifiedBy }: OpeningRecord): Promise<void> {
    await this.#lockForInvite(tx, link.id, proof);
    const verified = [verifiedBy?.kid ?? null, verifiedBy?.sealed ?? null];
    const rows = await tx.query(consume, [link.id, link.visibility, proof?.inviteId ?? null, ...verified]);
    if (rows.length === 0) throw new AppError('LINK_BEING_OPENED');
  }

  /** Stores a verified identity; writes no row for an unverified visitor. */
  async #lockDurable(tx: Transaction, { link, proof, verifiedBy }: OpeningRecord): Promise<void> {
    await this.#lockForInvite(tx, link.id, proof);
    const terms = [link.id, link.visibility, proof?.inviteId ?? null];
    const rows = verifiedBy
      ? await tx.query(storeVerified, [...terms, verifiedBy.kid, verifiedBy.sealed])
      : await tx.query(lockActive, terms);
    if (rows.length === 0) throw new AppError('LINK_BEING_OPENED');
  }

  /**
   * Waits for a concurrent withdrawal of the invite, which locks the link. A statement that waited for the lock itself
   * would see the new link row, but the invites of its snapshot from before the wait (PostgreSQL, 13.2.1).
   */
  async #lockForInvite(tx: Transaction, linkId: string, proof: OpeningRecord['proof']): Promise<void> {
    if (proof?.inviteId) await tx.query(lockLink, [linkId]);
  }

  /**
   * The deadline is checked after the statements that may wait for a lock. The event is the last statement: it carries the
   * code of a link that opens once, which must not be written while the link may stay open (LNK-22).
   */
  async #publishInTime(tx: Transaction, access: OpeningRecord): Promise<void> {
    assertBeforeDeadline(access);
    const { link, payload, requestId } = access;
    const { accountId } = link;
    await this.outbox.publish(tx, sparklinkAccessed, payload, { requestId, accountId });
  }
}

interface SparkRow {
  [column: string]: unknown;
  content_type: string;
  is_burned: boolean;
  is_expired: boolean;
}

const describeSpark = statement(
  'sparks.describe-spark',
  `SELECT content_type, status = 'ash' AS is_burned, expires_at <= clock_timestamp() AS is_expired
     FROM sparks WHERE id = $1 AND account_id = $2`,
);

const lockLink = statement('sparks.lock-link', `SELECT 1 FROM sparklinks WHERE id = $1 FOR UPDATE`);

/** The link is open under the terms that the visitor was verified by: its visibility and the invite. */
const OPEN_AS_VERIFIED = `
  id = $1 AND status = 'active' AND (expires_at IS NULL OR expires_at > clock_timestamp()) AND visibility = $2
  AND ($3::text IS NULL OR EXISTS (SELECT 1 FROM invites i WHERE i.id = $3 AND i.link_id = sparklinks.id))`;

const consume = statement(
  'sparks.consume-link',
  `UPDATE sparklinks
      SET status = 'consumed', consumed_at = clock_timestamp(), updated_at = clock_timestamp(),
          verified_kid = coalesce($4, verified_kid), verified_by = coalesce($5, verified_by),
          verified_at = CASE WHEN $4::text IS NULL THEN verified_at ELSE clock_timestamp() END
    WHERE ${OPEN_AS_VERIFIED} RETURNING id`,
);

const storeVerified = statement(
  'sparks.store-verified',
  `UPDATE sparklinks SET verified_kid = $4, verified_by = $5, verified_at = clock_timestamp()
    WHERE ${OPEN_AS_VERIFIED} RETURNING id`,
);

/**
 * Serializes with a withdrawal. Not FOR SHARE: PostgreSQL grants shared locks past a waiter for an exclusive one, so
 * concurrent visitors would starve the withdrawal of the link.
 */
const lockActive = statement(
  'sparks.lock-active-link',
  `SELECT id FROM sparklinks WHERE ${OPEN_AS_VERIFIED} FOR NO KEY UPDATE`,
);
