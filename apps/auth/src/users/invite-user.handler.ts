import { Controller } from '@nestjs/common';
import {
  type AccountContext,
  AppError,
  assertAdmin,
  EMAIL_PROBLEM,
  isEmail,
  validationError,
} from '@vaultsvc/contracts';
import type { ContextOf, Input } from '@vaultsvc/contracts';
import { inviteUser, userInvited, type Invitation, type User } from '@vaultsvc/contracts/auth';
import { Database, type Transaction } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { AccountRepository, type NewUser } from '../accounts/account.repository.js';
import { displayName } from '../names/display-name.js';
import { actorIdOf } from '../actor.js';
import { assertOwnerActs } from '../owners/assert-owner-acts.js';
import { OwnerNotices, ownerChangeBy } from '../owners/owner-notices.js';
import { InvitationRemoval } from '../invitations/invitation-removal.js';
import { InvitationChecks } from './invitation-checks.js';
import { SeatLimit } from './seat-limit.js';
import { UserRepository } from './user.repository.js';

const EXPIRED_BATCH = 100;

@Controller()
export class InviteUser {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly users: UserRepository,
    private readonly checks: InvitationChecks,
    private readonly removal: InvitationRemoval,
    private readonly seatLimit: SeatLimit,
    private readonly notices: OwnerNotices,
    private readonly outbox: Outbox,
  ) {}

  @Handles(inviteUser)
  async handle({ body }: Input<typeof inviteUser>, context: ContextOf<typeof inviteUser>): Promise<User> {
    assertAdmin(context);
    const person = invited(body, context.credential.userId);
    // Before the transaction, so that no lock is held during a call to another service.
    const seats = await this.seatLimit.of(context.credential.accountId, context.requestId);
    return this.database.transaction((tx) => this.#invite(tx, person, seats, context));
  }

  async #invite(tx: Transaction, person: NewUser, seats: number, context: AccountContext): Promise<User> {
    const { accountId } = context.credential;
    await this.checks.assertUnclaimed(tx, accountId, person.email);
    await this.users.lockAccount(tx, accountId);
    if (person.role === 'owner') assertOwnerActs(await this.users.lockOwners(tx, accountId), context);
    // So that their addresses can be invited again before the job has run.
    await this.removal.expire(tx, EXPIRED_BATCH, accountId);
    if ((await this.users.countSeats(tx, accountId)) >= seats) throw new AppError('SEATS_EXHAUSTED');
    await this.checks.assertWithinHour(tx, accountId, seats);
    await this.checks.assertUnregistered(tx, person.email);
    const id = await this.accounts.addUser(tx, accountId, person, context.requestId);
    const fact = { account_id: accountId, user_id: id, actor_id: actorIdOf(context) };
    await this.outbox.publish(tx, userInvited, fact, context);
    await this.notices.announce(tx, ownerChangeBy(context, 'invited', id));
    return (await this.users.find(tx, accountId, id)) as User;
  }
}

function invited({ email: given, name, role, seat }: Invitation, invitedBy: string | null): NewUser {
  // `example.com.` is the same domain, but invalid in a mailbox: servers reject it (RFC 5321, 4.1.2).
  const email = given.normalize('NFC').replace(/\.$/, '');
  if (!isEmail(email)) throw validationError({ field: 'email', message: `email ${EMAIL_PROBLEM}` });
  const shown = name === undefined ? null : displayName('name', name);
  return { email, name: shown, role, seat, status: 'invited', invitedBy };
}
