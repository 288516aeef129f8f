import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { ConcurrentModification, statement, type Transaction } from '@vaultsvc/database';
import { InviteRepository, type Invite } from '../../link/invite.repository.js';
import { LinkRepository, type LinkRow } from '../../link/link.repository.js';
import { LinkMessageQueue } from '../../message/link-message-queue.js';
import { CodeBudgetRepository } from '../../visit/verification/code-budget.repository.js';
import { SubjectMacs } from '../../visit/verification/subject-macs.js';
import { IS_SHAREABLE } from './spark-share.repository.js';

/** The link of a Spark and its invite, of which there is one at most (SPK-40). */
export interface SparkInvitation {
  readonly link: LinkRow;
  readonly invite: Invite;
}

/** Finds the invitation to the link of a Spark, and sends it again. */
@Injectable()
export class SparkInvitationRepository {
  constructor(
    private readonly links: LinkRepository,
    private readonly invites: InviteRepository,
    private readonly messages: LinkMessageQueue,
    private readonly subjects: SubjectMacs,
    private readonly budgets: CodeBudgetRepository,
  ) {}

  /** Throws INVITE_NOT_FOUND if the Spark has no link, or one that has expired or has no invite. */
  async find(sparkId: string, accountId: string): Promise<SparkInvitation> {
    const link = await this.links.findManaged(sparkId, accountId);
    if (!link || link.is_expired) throw new AppError('INVITE_NOT_FOUND');
    const [invite] = await this.invites.findByLink(link.id);
    if (!invite) throw new AppError('INVITE_NOT_FOUND');
    return { link, invite };
  }

  /**
   * Enqueues the invitation once more and returns its time in epoch seconds. The invitee may request and enter codes again: the
   * owner trusts the identity anew (OPEN-25). Throws ConcurrentModification when the link has changed, ended or expired since it
   * was found, or its Spark cannot be shared any more, and MESSAGES_EXHAUSTED.
   */
  async resend({ link, invite: { identity } }: SparkInvitation, requestId: string): Promise<number> {
    const subject = { linkId: link.id, mac: await this.subjects.ofIdentity(link, identity) };
    return this.messages.enqueueNow(link, 'invitation', identity, requestId, async (tx) => {
      await lockUnchanged(tx, link);
      await this.budgets.reset(tx, subject);
    });
  }
}

async function lockUnchanged(tx: Transaction, { id, version, asset_id, account_id }: LinkRow): Promise<void> {
  const locked = await tx.query(lockInvitation, [id, version, asset_id, account_id]);
  if (locked.length === 0) throw new ConcurrentModification();
}

/**
 * The Spark is locked before its link, as an opening locks them. The version stands for the invite, too, which changes with it
 * only. NO KEY, so that a visitor can request a code meanwhile: its row refers to the link.
 */
const lockInvitation = statement(
  'sparks.lock-invitation',
  `WITH spark AS (SELECT id FROM sparks WHERE id = $3 AND account_id = $4 AND ${IS_SHAREABLE} FOR SHARE)
   SELECT l.id FROM sparklinks l JOIN spark ON spark.id = l.asset_id
    WHERE l.id = $1 AND l.updated_at = $2::timestamptz AND l.status = 'active' AND l.expires_at > clock_timestamp()
      FOR NO KEY UPDATE OF l`,
);
