import { Controller } from '@nestjs/common';
import { type AccountContext, AppError, assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import { resendInvitation, userInvited, type ResentInvitation, type User } from '@vaultsvc/contracts/auth';
import { Database, type Transaction } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { actorIdOf } from '../actor.js';
import { InvitationRepository } from '../invitations/invitation.repository.js';
import { assertOwnerActs } from '../owners/assert-owner-acts.js';
import { InvitationChecks } from './invitation-checks.js';
import { SeatLimit } from './seat-limit.js';
import { UserRepository } from './user.repository.js';

/** Sends an invitation again: the event that queued the first mail queues another. */
@Controller()
export class ResendInvitation {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly invitations: InvitationRepository,
    private readonly checks: InvitationChecks,
    private readonly seatLimit: SeatLimit,
    private readonly outbox: Outbox,
  ) {}

  @Handles(resendInvitation)
  async handle(
    { params }: Input<typeof resendInvitation>,
    context: ContextOf<typeof resendInvitation>,
  ): Promise<ResentInvitation> {
    assertAdmin(context);
    // Before the transaction, so that no lock is held during a call to another service.
    const seats = await this.seatLimit.of(context.credential.accountId, context.requestId);
    return this.database.transaction((tx) => this.#resend(tx, params.user_id, seats, context));
  }

  /** The lock of the user excludes that the person accepts, or another admin withdraws, meanwhile. */
  async #resend(
    tx: Transaction,
    id: string,
    seats: number,
    context: AccountContext,
  ): Promise<ResentInvitation> {
    const { accountId } = context.credential;
    await this.users.lockAccount(tx, accountId);
    const user = await this.users.lock(tx, accountId, id);
    if (!user) throw new AppError('USER_NOT_FOUND');
    await this.#assertSendable(tx, user, context);
    await this.checks.assertWithinHour(tx, accountId, seats);
    const extended = await this.invitations.extend(tx, id);
    if (!extended) throw new AppError('INVITATIONS_EXHAUSTED');
    const fact = { account_id: accountId, user_id: id, actor_id: actorIdOf(context), resent: true };
    await this.outbox.publish(tx, userInvited, fact, context);
    return { user_id: id, resent: true, ...extended };
  }

  /** An extension keeps the chance to become an owner, so that it takes an owner, as the invitation did. */
  async #assertSendable(tx: Transaction, user: User, context: AccountContext): Promise<void> {
    const { accountId } = context.credential;
    if (!(await this.invitations.isOpen(tx, user.user_id))) throw new AppError('INVITATION_NOT_OPEN');
    if (user.role === 'owner') assertOwnerActs(await this.users.lockOwners(tx, accountId), context);
    await this.checks.assertUnclaimed(tx, accountId, user.email);
    await this.checks.assertUnregistered(tx, user.email);
  }
}
