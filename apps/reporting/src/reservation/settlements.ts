import type { Delivery } from '@vaultsvc/contracts';
import {
  versionActivated,
  versionDropped,
  versionOpened,
  type SizedVersion,
  type VersionRef,
} from '@vaultsvc/contracts/vaults';
import type { Settlement } from './reservation.repository.js';

/** The status of a version's reservation after an event. Other events do not change it. */
const statusAfter: ReadonlyMap<string, Settlement['status']> = new Map([
  [versionOpened.name, 'confirmed'],
  [versionActivated.name, 'closed'],
  [versionDropped.name, 'closed'],
]);

/** One settlement for each version. `closed` wins, in whatever order the events arrive. */
export function settlementsOf(deliveries: readonly Delivery[]): Settlement[] {
  const settlements = new Map<string, Settlement>();
  for (const { name, payload } of deliveries) {
    const status = statusAfter.get(name);
    if (!status) continue;
    const version = payload as VersionRef | SizedVersion;
    const { version_id: id, account_id: accountId } = version;
    if (settlements.get(id)?.status === 'closed') continue;
    settlements.set(id, { id, accountId, status, bytes: 'size_bytes' in version ? version.size_bytes : 0 });
  }
  return [...settlements.values()];
}
