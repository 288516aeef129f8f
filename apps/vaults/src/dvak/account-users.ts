import { Inject, Injectable } from '@nestjs/common';
import type { AccountContext } from '@vaultsvc/contracts';
import { listUsers } from '@vaultsvc/contracts/auth';
import { Bus } from '@vaultsvc/messaging';

const PAGE = 100;

/** The people of the caller's account, as auth knows them. */
@Injectable()
export class AccountUsers {
  constructor(@Inject(Bus) private readonly bus: Bus) {}

  /** The address of a user of the account; undefined for whoever is none. */
  async emailOf(userId: string, context: AccountContext): Promise<string | undefined> {
    let cursor: string | undefined;
    do {
      const query = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
      const page = await this.bus.call(listUsers, { query }, context);
      const user = page.users.find(({ user_id }) => user_id === userId);
      if (user) return user.email;
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    return undefined;
  }
}
