import { Injectable } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import {
  accountCreated,
  userAdded,
  userRemoved,
  type AccountCreated,
  type UserAdded,
} from '@vaultsvc/contracts/auth';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import type { Draw } from '../pool/pool.repository.js';
import { Pools } from '../pool/pools.js';

/** Seats of the identity pool that one event takes (MISC-06). An account's own event only makes its pools. */
const seatsTaken: ReadonlyMap<string, number> = new Map([
  [accountCreated.name, 0],
  [userAdded.name, 1],
  [userRemoved.name, -1],
]);

/** New accounts get their pools; their users take seats and give them back. */
@Injectable()
export class OnUsersAdded {
  constructor(private readonly pools: Pools) {}

  @Consumes(accountCreated, userAdded, userRemoved)
  async apply(deliveries: readonly Delivery<AccountCreated | UserAdded>[], tx: Transaction): Promise<void> {
    await this.pools.draw(tx, deliveries.map(seatsOf));
  }
}

function seatsOf({ name, payload }: Delivery<AccountCreated | UserAdded>): Draw {
  const seats = seatsTaken.get(name);
  if (seats === undefined) throw new Error(`no rule says how many seats ${name} takes`);
  return { accountId: payload.account_id, seats };
}
