import type { Delivery, Event } from '@vaultsvc/contracts';
import type { Platform, Sums } from './platform.js';

/** Something that happens, told by an event. */
export type Fact = readonly [event: Event, payload: object];

export function deliveryOf([event, payload]: Fact): Delivery {
  const id = crypto.randomUUID();
  return { id, name: event.name, accountId: null, requestId: null, occurredAtMs: Date.now(), payload };
}

/** As the stream may deliver it, without the outbox' memory of what was sent. */
export function send({ harness }: Platform, ...deliveries: readonly Delivery[]): void {
  for (const delivery of deliveries)
    harness.connection.publish(`evt.${delivery.name}`, JSON.stringify(delivery));
}

/** Every order of these. */
export function permutations<T>(of: readonly T[]): T[][] {
  if (of.length === 0) return [[]];
  return of.flatMap((first, i) => permutations(of.filter((_, j) => j !== i)).map((rest) => [first, ...rest]));
}

/** How many of these events the service remembers as applied. */
export async function processed(platform: Platform, ids: readonly string[]): Promise<number> {
  const rows = await platform.sql(`SELECT 1 FROM processed WHERE event_id = ANY($1::uuid[])`, [ids]);
  return rows.length;
}

/** Sums of pools and ledger where they agree. */
export function exactly(stored: number, reserved: number, moved: number): Sums {
  return {
    storage: stored,
    ledgerStorage: stored,
    reserved,
    kept: reserved,
    bandwidth: moved,
    ledgerBandwidth: moved,
  };
}

/** Lines of an account's ledger, by type and resource. */
export function linesOf(platform: Platform, accountId: string) {
  return platform.sql(
    `SELECT type, resource, quantity, unit, reference_id, vault_id, actor_type FROM ledger
      WHERE account_id = $1 ORDER BY type, resource, quantity`,
    [accountId],
  );
}
