import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { sparklinkAccessed } from '@vaultsvc/contracts/sparks';
import { Database, statement, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { assertBeforeDeadline } from '../call-context.js';
import { BurnRepository, type Claim } from '../spark/burn.repository.js';
import type { Access } from './access-recorder.js';

/**
 * The one moment of an opening. Nothing is shown before it, and nothing can fail after it: where the link was
 * withdrawn, expired or opened meanwhile, or the invite taken back, a statement finds no row and nothing stands.
 */
@Injectable()
export class OpeningRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly burns: BurnRepository,
  ) {}

  /**
   * Burns the Spark under its lock and consumes the link, both or neither (LNK-14, LNK-16). Throws SPARK_BURNED when the
   * lock was lost, LINK_BEING_OPENED when the link was.
   */
  async burn(access: Access, claim: Claim): Promise<void> {
    const { id, accountId } = access.link;
    const actor = { actor_type: 'link', actor_id: id, reader_account_id: accountId } as const;
    await this.database.transaction(async (tx) => {
      await this.burns.burnIn(tx, claim, { actor, requestId: access.requestId });
      await this.#consume(tx, access);
      await this.#tell(tx, access);
      assertBeforeDeadline(access); // last of all: a connection, or a rival, may have been waited for
    });
    this.outbox.wake();
  }

  /** Consumes a one-time link; a durable share stays as it is. Throws LINK_BEING_OPENED when the link was lost. */
  async pass(access: Access): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.#tell(tx, access); // first: others wait from the next statement to the commit
      await (access.link.domain === 'files' ? this.#hold(tx, access) : this.#consume(tx, access));
      assertBeforeDeadline(access);
    });
    this.outbox.wake();
  }

  async #consume(tx: Transaction, { link, proof, verifiedBy }: Access): Promise<void> {
    await this.#waitForChanges(tx, link.id, proof);
    const verified = [verifiedBy?.kid ?? null, verifiedBy?.sealed ?? null];
    const rows = await tx.query(consume, [link.id, link.visibility, proof?.inviteId ?? null, ...verified]);
    if (rows.length === 0) throw new AppError('LINK_BEING_OPENED');
  }

  /** Who was verified is kept; otherwise no row is written, however often it is opened. */
  async #hold(tx: Transaction, { link, proof, verifiedBy }: Access): Promise<void> {
    await this.#waitForChanges(tx, link.id, proof);
    const terms = [link.id, link.visibility, proof?.inviteId ?? null];
    const rows = verifiedBy
      ? await tx.query(keepVerified, [...terms, verifiedBy.kid, verifiedBy.sealed])
      : await tx.query(hold, terms);
    if (rows.length === 0) throw new AppError('LINK_BEING_OPENED');
  }

  /**
   * Whoever takes an invite back holds the link. A statement that waits for them sees the link as they left it, but the
   * invites as they were when it began (PostgreSQL, 13.2.1): so the waiting is done before.
   */
  async #waitForChanges(tx: Transaction, linkId: string, proof: Access['proof']): Promise<void> {
    if (proof?.inviteId) await tx.query(lockLink, [linkId]);
  }

  async #tell(tx: Transaction, { link: { accountId }, fact, requestId }: Access): Promise<void> {
    await this.outbox.publish(tx, sparklinkAccessed, fact, { requestId, accountId });
  }
}

const lockLink = statement('sparks.lock-link', `SELECT 1 FROM sparklinks WHERE id = $1 FOR UPDATE`);

/** Under the terms that the visitor was verified by: who may open, and the invite. */
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

const keepVerified = statement(
  'sparks.keep-verified',
  `UPDATE sparklinks SET verified_kid = $4, verified_by = $5, verified_at = clock_timestamp()
    WHERE ${OPEN_AS_VERIFIED} RETURNING id`,
);

/**
 * A withdrawal waits for this transaction, or this one for it. Not FOR SHARE: whoever would share a lock is let in past
 * everybody who waits to have it alone, and a link that many open at once could not be withdrawn.
 */
const hold = statement(
  'sparks.hold-link',
  `SELECT id FROM sparklinks WHERE ${OPEN_AS_VERIFIED} FOR NO KEY UPDATE`,
);
