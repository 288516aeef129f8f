import type { Delivery } from '@vaultsvc/contracts';
import { accountCreated, userAdded, userRemoved, type AccountCreated } from '@vaultsvc/contracts/auth';
import type { Draw } from './pool.repository.js';

/** Seats of the identity pool that an event draws (MISC-06). The event of a new account only creates its pools. */
const seatsByEvent: ReadonlyMap<string, number> = new Map([
  [accountCreated.name, 0],
  [userAdded.name, 1],
  [userRemoved.name, -1],
]);

/** The draw of a user's seat, if the event adds or removes a user. */
export function seatsOf({ name, payload }: Delivery): Draw[] {
  const seats = seatsByEvent.get(name);
  return seats === undefined ? [] : [{ accountId: (payload as AccountCreated).account_id, seats }];
}
