import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import {
  sparklinkCreated,
  sparklinkUpdated,
  type IngotLinkAction,
  type Visibility,
} from '@vaultsvc/contracts/sparks';
import {
  ConcurrentModification,
  Database,
  namedStatement,
  statement,
  type Transaction,
} from '@vaultsvc/database';
import { CREATOR_COLUMNS, creatorOfActor } from '../../creators/creator-sql.js';
import { InviteRepository, type NewInvite } from '../../link/invite.repository.js';
import type { MintedLink } from '../../link/link-sealer.js';
import { LinkTerminationRepository } from '../../link/link-termination.repository.js';
import {
  insertLinkEvents,
  LINK_EVENT_COLUMNS,
  linkEventValues,
  causeOfAction,
} from '../../link/link-events-sql.js';
import { LinkMessageQueue } from '../../message/link-message-queue.js';

/** The durable link of an ingot, before its insertion. */
export interface NewIngotShare {
  readonly action: IngotLinkAction;
  readonly minted: MintedLink;
  readonly visibility: Visibility;
  readonly invites: readonly NewInvite[];
  readonly requestId: string;
}

/** Creates the durable link of an ingot and withdraws its invites. Vaults chooses the link's id. */
@Injectable()
export class IngotShareRepository {
  constructor(
    private readonly database: Database,
    private readonly invites: InviteRepository,
    private readonly messages: LinkMessageQueue,
    private readonly terminations: LinkTerminationRepository,
  ) {}

  /**
   * Creates the link. A managed link of another id is revoked: vaults has shredded its wrapped key before it chose this
   * id, and its revocation is under way. Throws ConcurrentModification when the link of this id exists by now, and
   * LINK_REVOKED when the id belongs to another account or ingot or to a one-time link, because no retry would succeed.
   */
  async create({ action, minted, visibility, invites, requestId }: NewIngotShare): Promise<void> {
    const cause = causeOfAction(action, requestId);
    const links = { assetId: action.ingot_id, accountId: action.account_id };
    const codes = await this.terminations.codesOf(links);
    const invitations = await this.messages.sealInvitations(action.account_id, invites);
    await this.database.transaction(async (tx) => {
      await this.terminations.unshare(tx, links, codes, cause, action.link_id);
      const values = insertShare.valuesOf({
        ...minted,
        linkId: action.link_id,
        accountId: action.account_id,
        vaultId: action.vault_id,
        ingotId: action.ingot_id,
        visibility,
        requestId,
        actor: JSON.stringify(cause.actor),
      });
      const rows = await tx.query(insertShare, values);
      if (rows.length === 0) throw await this.#conflictOf(tx, action);
      await this.invites.apply(tx, { removed: [], added: invites });
      await this.messages.enqueue(tx, invitations, requestId);
    });
  }

  async #conflictOf(tx: Transaction, { link_id, account_id, ingot_id }: IngotLinkAction): Promise<Error> {
    const others = await tx.query(findOther, [link_id, account_id, ingot_id]);
    return others.length > 0 ? new AppError('LINK_REVOKED') : new ConcurrentModification();
  }

  /** Withdraws an invite. Returns `link` when the link is not active, `invite` when the link has no such invite. */
  async withdrawInvite(
    action: IngotLinkAction,
    inviteId: string,
    requestId: string,
  ): Promise<'done' | 'link' | 'invite'> {
    const eventValues = linkEventValues(causeOfAction(action, requestId));
    return this.database.transaction(async (tx) => {
      // Locks the link before its invites, in the same order as a change of terms.
      if ((await tx.query(lockShare, [action.link_id, action.account_id, action.ingot_id])).length === 0)
        return 'link';
      if ((await tx.query(deleteInvite, [inviteId, action.link_id])).length === 0) return 'invite';
      await tx.query(touchShare, [action.link_id, ...eventValues]);
      return 'done';
    });
  }
}

interface IngotShareInsert extends Pick<MintedLink, 'codeHash' | 'kid' | 'sealedCode'> {
  readonly linkId: string;
  readonly accountId: string;
  readonly vaultId: string;
  readonly ingotId: string;
  readonly visibility: Visibility;
  readonly requestId: string;
  /** JSON. */
  readonly actor: string;
}

const insertShare = namedStatement<IngotShareInsert>(
  'sparks.insert-ingot-share',
  (v) => `
   WITH created AS (
     INSERT INTO sparklinks (id, account_id, vault_id, asset_id, visibility, code_hash, kid, sealed_code, link_type, domain, ${CREATOR_COLUMNS})
     VALUES (${v.linkId}, ${v.accountId}, ${v.vaultId}, ${v.ingotId}, ${v.visibility}, ${v.codeHash}, ${v.kid}, ${v.sealedCode},
             'ingot', 'files', ${creatorOfActor(v.actor)})
     ON CONFLICT DO NOTHING
     RETURNING ${LINK_EVENT_COLUMNS}),
   event AS (${insertLinkEvents(sparklinkCreated, 'created', v.requestId, v.actor)})
   SELECT id FROM created`,
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

const deleteInvite = statement(
  'sparks.delete-invite-of-share',
  `DELETE FROM invites WHERE id = $1 AND link_id = $2 RETURNING id`,
);

const touchShare = statement(
  'sparks.touch-ingot-share',
  `WITH changed AS (
     UPDATE sparklinks SET updated_at = greatest(clock_timestamp(), updated_at + interval '1 microsecond')
      WHERE id = $1 RETURNING ${LINK_EVENT_COLUMNS})
   ${insertLinkEvents(sparklinkUpdated, 'changed', '$2', '$3')}`,
);
