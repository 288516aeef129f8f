import { Inject, Injectable } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { accountCreated, userAdded, type AccountCreated, type UserAdded } from '@vaultsvc/contracts/auth';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { FundsPublisher } from '../pool/funds-publisher.js';
import { PoolRepository, type Draw } from '../pool/pool.repository.js';

/** New accounts get their pools; their users take seats of the identity pool (MISC-06). */
@Injectable()
export class OnUsersAdded {
  constructor(
    @Inject(PoolRepository) private readonly pools: PoolRepository,
    @Inject(FundsPublisher) private readonly publisher: FundsPublisher,
  ) {}

  @Consumes(accountCreated, userAdded)
  async apply(deliveries: readonly Delivery<AccountCreated | UserAdded>[], tx: Transaction): Promise<void> {
    const funds = await this.pools.draw(tx, seatsOf(deliveries));
    tx.afterCommit(() => this.publisher.publishSurely(funds));
  }
}

function seatsOf(deliveries: readonly Delivery<AccountCreated | UserAdded>[]): Draw[] {
  const seats = new Map<string, number>();
  for (const { name, payload } of deliveries) {
    const added = name === userAdded.name ? 1 : 0;
    seats.set(payload.account_id, (seats.get(payload.account_id) ?? 0) + added);
  }
  return [...seats].map(([accountId, taken]) => ({
    accountId,
    storageBytes: 0,
    bandwidthBytes: 0,
    seats: taken,
  }));
}
