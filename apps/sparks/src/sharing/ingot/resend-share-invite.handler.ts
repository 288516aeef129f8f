import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { resendShareInvite, type ShareInviteSent } from '@vaultsvc/contracts/sparks';
import type { Transaction } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { LinkMessageQueue } from '../../message/link-message-queue.js';
import { CodeBudgetRepository } from '../../visit/verification/code-budget.repository.js';
import { SubjectMacs } from '../../visit/verification/subject-macs.js';
import { IngotShareReader } from './ingot-share-reader.js';

/** Lets the invitee request and enter codes again, too: the owner trusts the identity anew (OPEN-25). */
@Controller()
export class ResendShareInvite {
  constructor(
    private readonly shares: IngotShareReader,
    private readonly messages: LinkMessageQueue,
    private readonly subjects: SubjectMacs,
    private readonly budgets: CodeBudgetRepository,
  ) {}

  @Handles(resendShareInvite)
  async handle(
    { body }: Input<typeof resendShareInvite>,
    { requestId }: CallContext,
  ): Promise<ShareInviteSent> {
    const link = await this.shares.findActive(body);
    const { identity } = await this.shares.inviteOf(link, body.invite_id);
    const subject = { linkId: link.id, mac: await this.subjects.ofIdentity(link, identity) };
    const reset = (tx: Transaction) => this.budgets.reset(tx, subject);
    return { sent_at: await this.messages.enqueueNow(link, 'invitation', identity, requestId, reset) };
  }
}
