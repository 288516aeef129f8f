import { Controller } from '@nestjs/common';
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
import { PoolUpdater } from '../pool/pool-updater.js';
import type { Draw } from '../pool/pool.repository.js';

/** Seats of the identity pool that an event draws (MISC-06). The event of a new account only creates its pools. */
const seatsByEvent: ReadonlyMap<string, number> = new Map([
  [accountCreated.name, 0],
  [userAdded.name, 1],
  [userRemoved.name, -1],
]);

/** Creates the pools of new accounts, and draws and returns the seats of users. */
@Controller()
export class OnUsersAdded {
  constructor(private readonly pools: PoolUpdater) {}

  @Consumes(accountCreated, userAdded, userRemoved)
  async apply(deliveries: readonly Delivery<AccountCreated | UserAdded>[], tx: Transaction): Promise<void> {
    await this.pools.draw(tx, deliveries.map(seatsOf));
  }
}

function seatsOf({ name, payload }: Delivery<AccountCreated | UserAdded>): Draw {
  const seats = seatsByEvent.get(name);
  if (seats === undefined) throw new Error(`no seats are defined for the event ${name}`);
  return { accountId: payload.account_id, seats };
}
