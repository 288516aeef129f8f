import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import {
  sparklinkCreated,
  sparklinkUpdated,
  type IngotLinkAction,
  type Visibility,
} from '@vaultsvc/contracts/sparks';
import { Database, statement, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { InviteRepository, type NewInvite } from '../link/invite.repository.js';
import type { MintedLink } from '../link/link-codes.js';
import { LinkTerminationRepository } from '../link/link-termination.repository.js';
import {
  insertLinkEvents,
  LINK_EVENT_COLUMNS,
  linkEventValues,
  causeOfAction,
} from '../link/link-events-sql.js';
import { MessageQueue } from '../message/message-queue.js';

/** A durable link that is to be made for an ingot. */
export interface NewIngotShare {
  readonly act: IngotLinkAction;
  readonly minted: MintedLink;
  readonly visibility: Visibility;
  readonly invites: readonly NewInvite[];
  readonly requestId: string;
}

/** Durable links of ingots: one for each. Vaults decides which it is; here it is made and its invites are kept. */
@Injectable()
export class IngotShareRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly invites: InviteRepository,
    private readonly messages: MessageQueue,
    private readonly endings: LinkTerminationRepository,
  ) {}

  /**
   * Makes the link; false when there is one of this id by now. A managed one of another id that is still here lost its
   * wrap before vaults drew this id, and its end is on the way: it ends now. Throws LINK_REVOKED when something else has
   * this id, a link of another account or ingot or a one-time link: it gives no durable one, however often it is tried.
   */
  async make({ act, minted, visibility, invites, requestId }: NewIngotShare): Promise<boolean> {
    const cause = causeOfAction(act, requestId);
    const invitations = await this.messages.invitations(act.account_id, invites);
    const made = await this.database.transaction(async (tx) => {
      await this.endings.unshare(tx, act.ingot_id, act.account_id, cause, act.link_id);
      const values = [act.link_id, act.account_id, act.vault_id, act.ingot_id, visibility];
      const code = [minted.codeHash, minted.kid, minted.sealedCode];
      const rows = await tx.query(insertShare, [...values, ...code, ...linkEventValues(cause)]);
      if (rows.length === 0) {
        await this.#assertOwn(tx, act);
        return false;
      }
      await this.invites.apply(tx, { dropped: [], added: invites });
      await this.messages.owe(tx, invitations, requestId);
      return true;
    });
    this.outbox.wake();
    return made;
  }

  async #assertOwn(tx: Transaction, { link_id, account_id, ingot_id }: IngotLinkAction): Promise<void> {
    const others = await tx.query(findOther, [link_id, account_id, ingot_id]);
    if (others.length > 0) throw new AppError('LINK_REVOKED');
  }

  /** Takes an invite back: `link` when the link is over, `invite` when there is no such one. */
  async withdraw(
    act: IngotLinkAction,
    inviteId: string,
    requestId: string,
  ): Promise<'done' | 'link' | 'invite'> {
    const told = linkEventValues(causeOfAction(act, requestId));
    const outcome = await this.database.transaction(async (tx) => {
      // The link first, as whoever replaces its invites does it.
      if ((await tx.query(lockShare, [act.link_id, act.account_id, act.ingot_id])).length === 0)
        return 'link';
      if ((await tx.query(dropInvite, [inviteId, act.link_id])).length === 0) return 'invite';
      await tx.query(touchShare, [act.link_id, ...told]);
      return 'done';
    });
    this.outbox.wake();
    return outcome;
  }
}

const insertShare = statement(
  'sparks.insert-ingot-share',
  `WITH made AS (
     INSERT INTO sparklinks (id, account_id, vault_id, asset_id, visibility, code_hash, kid, sealed_code, link_type, domain)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'ingot', 'files')
     ON CONFLICT DO NOTHING
     RETURNING ${LINK_EVENT_COLUMNS}),
   told AS (${insertLinkEvents(sparklinkCreated, 'made', '$9', '$10')})
   SELECT id FROM made`,
);

const findOther = statement(
  'sparks.find-other-link-of-id',
  `SELECT 1 FROM sparklinks WHERE id = $1 AND NOT (account_id = $2 AND asset_id = $3 AND is_managed)`,
);

const lockShare = statement(
  'sparks.lock-ingot-share',
  `SELECT 1 FROM sparklinks
    WHERE id = $1 AND account_id = $2 AND asset_id = $3 AND is_managed AND status = 'active'
      FOR UPDATE`,
);

const dropInvite = statement(
  'sparks.drop-invite-of-share',
  `DELETE FROM invites WHERE id = $1 AND link_id = $2 RETURNING id`,
);

const touchShare = statement(
  'sparks.touch-ingot-share',
  `WITH changed AS (
     UPDATE sparklinks SET updated_at = greatest(clock_timestamp(), updated_at + interval '1 microsecond')
      WHERE id = $1 RETURNING ${LINK_EVENT_COLUMNS})
   ${insertLinkEvents(sparklinkUpdated, 'changed', '$2', '$3')}`,
);
