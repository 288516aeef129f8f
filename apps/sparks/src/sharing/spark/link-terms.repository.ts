import { Injectable } from '@nestjs/common';
import { sparklinkUpdated, type Visibility } from '@vaultsvc/contracts/sparks';
import { ConcurrentModification, Database, statement } from '@vaultsvc/database';
import { InviteRepository, type InviteChange } from '../../link/invite.repository.js';
import {
  insertLinkEvents,
  LINK_EVENT_COLUMNS,
  linkEventValues,
  type LinkCause,
} from '../../link/link-events-sql.js';
import type { LinkRow } from '../../link/link.repository.js';
import { LinkMessageQueue } from '../../message/link-message-queue.js';
import { CodeBudgetRepository, type CodeSubject } from '../../visit/verification/code-budget.repository.js';
import { SubjectMacs } from '../../visit/verification/subject-macs.js';

/** The terms of a link: its visibility and invitees. */
export interface LinkTerms {
  readonly visibility: Visibility;
  readonly invites: InviteChange;
}

/** Changes who may open a link, and sends invitations to new invitees (SPK-41, SPK-45). */
@Injectable()
export class LinkTermsRepository {
  constructor(
    private readonly database: Database,
    private readonly invites: InviteRepository,
    private readonly messages: LinkMessageQueue,
    private readonly subjects: SubjectMacs,
    private readonly budgets: CodeBudgetRepository,
  ) {}

  /**
   * Throws ConcurrentModification when the link has changed, ended or expired since it was read. Terms that are the same already
   * publish no event, so that a repeated call leaves one event.
   */
  async change(link: LinkRow, terms: LinkTerms, cause: LinkCause): Promise<void> {
    if (isUnchanged(link, terms)) return;
    const invitations = await this.messages.sealInvitations(link.account_id, terms.invites.added);
    const subjects = await this.#subjectsOf(link, terms);
    await this.database.transaction(async (tx) => {
      const values = [link.id, link.version, terms.visibility, ...linkEventValues(cause)];
      const changed = await tx.query(changeTerms, values);
      if (changed.length === 0) throw new ConcurrentModification();
      await this.invites.apply(tx, terms.invites);
      for (const subject of subjects) await this.budgets.reset(tx, subject);
      await this.messages.enqueue(tx, invitations, cause.requestId);
    });
  }

  /** The new invitees: codes that strangers requested for them before do not count. */
  #subjectsOf(link: LinkRow, { invites }: LinkTerms): Promise<CodeSubject[]> {
    return Promise.all(
      invites.added.map(async ({ identity }) => ({
        linkId: link.id,
        mac: await this.subjects.ofIdentity(link, identity),
      })),
    );
  }
}

function isUnchanged(link: LinkRow, { visibility, invites }: LinkTerms): boolean {
  return link.visibility === visibility && invites.removed.length === 0 && invites.added.length === 0;
}

/** Conditional on the version: of two concurrent changes the second finds no row. */
const changeTerms = statement(
  'sparks.change-terms',
  `WITH changed AS (
     UPDATE sparklinks
        SET visibility = $3, updated_at = greatest(clock_timestamp(), updated_at + interval '1 microsecond')
      WHERE id = $1 AND updated_at = $2::timestamptz AND status = 'active'
        AND (expires_at IS NULL OR expires_at > clock_timestamp())
     RETURNING ${LINK_EVENT_COLUMNS}),
   event AS (${insertLinkEvents(sparklinkUpdated, 'changed', '$4', '$5')})
   SELECT id FROM changed`,
);
