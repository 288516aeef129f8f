import { Inject, Injectable } from '@nestjs/common';
import type { AccountContext } from '@vaultsvc/contracts';
import { describeActor } from '@vaultsvc/contracts/auth';
import { Bus } from '@vaultsvc/messaging';

/** The people of the caller's account, as auth knows them. */
@Injectable()
export class AccountUsers {
  constructor(@Inject(Bus) private readonly bus: Bus) {}

  /** The address of a user of the account; null for whoever is none, or no more (DVK-04). */
  async emailOf(userId: string, context: AccountContext): Promise<string | null> {
    const { accountId } = context.credential;
    const body = { account_id: accountId, kind: 'user', actor_id: userId } as const;
    const { label } = await this.bus.call(describeActor, { body }, context);
    return label;
  }
}
