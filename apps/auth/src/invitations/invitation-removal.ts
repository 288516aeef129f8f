import { Injectable } from '@nestjs/common';
import type { Actor } from '@vaultsvc/contracts';
import { userRemoved } from '@vaultsvc/contracts/auth';
import type { Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import type { AccountUser } from '../identity/identity.repository.js';
import { InvitationRepository } from './invitation.repository.js';

/** Removes invited users whose person declined, or whose invitation has expired, with the events that free their seats. */
@Injectable()
export class InvitationRemoval {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly outbox: Outbox,
  ) {}

  /** Resolves to false if the identity has no such invitation. */
  async decline(tx: Transaction, id: string, identityId: string, requestId: string): Promise<boolean> {
    const user = await this.invitations.decline(tx, id, identityId);
    if (user) await this.#record(tx, user, { requestId });
    return user !== undefined;
  }

  /** Removes up to `max` users whose invitation has expired, of this account or of all, and returns their number. */
  async expire(tx: Transaction, max: number, accountId?: string): Promise<number> {
    const users = await this.invitations.expire(tx, max, accountId);
    const actor = { kind: 'job', id: 'expire-invitations' } as const;
    for (const user of users) await this.#record(tx, user, { requestId: null, actor });
    return users.length;
  }

  async #record(
    tx: Transaction,
    { accountId, userId }: AccountUser,
    { requestId, actor }: { readonly requestId: string | null; readonly actor?: Actor },
  ): Promise<void> {
    const fact = { account_id: accountId, user_id: userId, actor_id: userId, ...(actor && { actor }) };
    await this.outbox.publish(tx, userRemoved, fact, { requestId, accountId });
  }
}
