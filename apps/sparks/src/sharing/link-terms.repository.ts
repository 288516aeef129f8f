import { Injectable } from '@nestjs/common';
import { sparklinkUpdated, type Visibility } from '@vaultsvc/contracts/sparks';
import { Database, statement } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { InviteRepository, type InviteChange } from '../link/invite.repository.js';
import {
  insertLinkEvents,
  LINK_EVENT_COLUMNS,
  linkEventValues,
  type LinkCause,
} from '../link/link-events-sql.js';
import type { LinkRow } from '../link/link.repository.js';
import { MessageQueue } from '../message/message-queue.js';

/** Who may open a link. */
export interface Terms {
  readonly visibility: Visibility;
  readonly invites: InviteChange;
}

/** Changes who may open a link, in place, and writes to whoever is new among the invited (SPK-41, SPK-45). */
@Injectable()
export class LinkTermsRepository {
  constructor(
    private readonly database: Database,
    private readonly invites: InviteRepository,
    private readonly messages: MessageQueue,
    private readonly outbox: Outbox,
  ) {}

  /**
   * False when the link has changed or ended since it was read: read it again. What changes nothing is not told, so
   * that a repeated question leaves one trace.
   */
  async change(link: LinkRow, terms: Terms, cause: LinkCause): Promise<boolean> {
    if (isAsItIs(link, terms)) return true;
    const invitations = await this.messages.invitations(link.account_id, terms.invites.added);
    const done = await this.database.transaction(async (tx) => {
      const values = [link.id, link.version, terms.visibility, ...linkEventValues(cause)];
      const changed = await tx.query(changeTerms, values);
      if (changed.length === 0) return false;
      await this.invites.apply(tx, terms.invites);
      await this.messages.owe(tx, invitations, cause.requestId);
      return true;
    });
    this.outbox.wake();
    return done;
  }
}

function isAsItIs(link: LinkRow, { visibility, invites }: Terms): boolean {
  return link.visibility === visibility && invites.dropped.length === 0 && invites.added.length === 0;
}

/** The version decides between two that have read the same link; who comes second finds no row. */
const changeTerms = statement(
  'sparks.change-terms',
  `WITH changed AS (
     UPDATE sparklinks
        SET visibility = $3, updated_at = greatest(clock_timestamp(), updated_at + interval '1 microsecond')
      WHERE id = $1 AND updated_at = $2::timestamptz AND status = 'active'
     RETURNING ${LINK_EVENT_COLUMNS}),
   told AS (${insertLinkEvents(sparklinkUpdated, 'changed', '$4', '$5')})
   SELECT id FROM changed`,
);
