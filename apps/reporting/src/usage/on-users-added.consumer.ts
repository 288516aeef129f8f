import { Inject, Injectable } from '@nestjs/common';
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
import { FundsPublisher } from '../pool/funds-publisher.js';
import { PoolRepository, type Draw } from '../pool/pool.repository.js';

/** Seats of the identity pool that one event takes (MISC-06). An account's own event only makes its pools. */
const seatsTaken: ReadonlyMap<string, number> = new Map([
  [accountCreated.name, 0],
  [userAdded.name, 1],
  [userRemoved.name, -1],
]);

/** New accounts get their pools; their users take seats and give them back. */
@Injectable()
export class OnUsersAdded {
  constructor(
    @Inject(PoolRepository) private readonly pools: PoolRepository,
    @Inject(FundsPublisher) private readonly publisher: FundsPublisher,
  ) {}

  @Consumes(accountCreated, userAdded, userRemoved)
  async apply(deliveries: readonly Delivery<AccountCreated | UserAdded>[], tx: Transaction): Promise<void> {
    const funds = await this.pools.draw(tx, seatsOf(deliveries));
    tx.afterCommit(() => this.publisher.publishSurely(funds));
  }
}

function seatsOf(deliveries: readonly Delivery<AccountCreated | UserAdded>[]): Draw[] {
  const seats = new Map<string, number>();
  for (const { name, payload } of deliveries) {
    const taken = seatsTaken.get(name);
    if (taken === undefined) throw new Error(`no rule says how many seats ${name} takes`);
    seats.set(payload.account_id, (seats.get(payload.account_id) ?? 0) + taken);
  }
  return [...seats].map(([accountId, taken]) => ({
    accountId,
    storageBytes: 0,
    bandwidthBytes: 0,
    seats: taken,
  }));
}
