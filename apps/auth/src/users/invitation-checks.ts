import { Injectable } from '@nestjs/common';
import { AppError, identityKey } from '@vaultsvc/contracts';
import type { Transaction } from '@vaultsvc/database';
import { DomainClaimLookup } from '../domains/domain-claim-lookup.js';
import { UserRepository } from './user.repository.js';

const SENT_PER_HOUR = 200;

/** The limits of invitations, for new ones and for those that are sent again (OPEN-59). */
@Injectable()
export class InvitationChecks {
  constructor(
    private readonly users: UserRepository,
    private readonly domains: DomainClaimLookup,
  ) {}

  /**
   * A later claim is checked when the person accepts.
   * @throws DOMAIN_CLAIMED if another account has claimed the domain of the address
   */
  async assertUnclaimed(tx: Transaction, accountId: string, email: string): Promise<void> {
    const claimant = await this.domains.accountOf(tx, email);
    if (claimant !== undefined && claimant !== accountId) throw new AppError('DOMAIN_CLAIMED');
  }

  /**
   * Removing a user frees the seat, so seats alone would let an account mail strangers repeatedly. Filling all seats within an hour
   * is legitimate; the number of seats is unknown while reporting is down. The account is locked.
   * @throws INVITATIONS_EXHAUSTED
   */
  async assertWithinHour(tx: Transaction, accountId: string, seats: number): Promise<void> {
    const max = Number.isFinite(seats) ? Math.max(seats, SENT_PER_HOUR) : SENT_PER_HOUR;
    if ((await this.users.countInvitations(tx, accountId)) >= max)
      throw new AppError('INVITATIONS_EXHAUSTED');
  }

  /** @throws EMAIL_TAKEN if the address belongs to a user of any account */
  async assertUnregistered(tx: Transaction, email: string): Promise<void> {
    if (await this.users.isRegistered(tx, identityKey(email))) throw new AppError('EMAIL_TAKEN');
  }
}
