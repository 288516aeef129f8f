import type { Delivery, Event } from '@vaultsvc/contracts';
import { publishSigned, signedEvents } from '@vaultsvc/testing/wire';
import { lowestIdAt } from '../ledger/event-ids.js';
import type { Platform, Sums } from './platform.js';

/** An event with its payload. */
export type Fact = readonly [event: Event, payload: object];

export function deliveryOf([event, payload]: Fact, occurredAtMs = Date.now()): Delivery {
  return {
    id: eventIdAt(occurredAtMs),
    name: event.name,
    accountId: null,
    requestId: null,
    occurredAtMs,
    payload,
  };
}

/** A new event id as outboxes make it: a UUID of version 7 with this time. */
export function eventIdAt(epochMs: number): string {
  return `${lowestIdAt(epochMs).slice(0, 14)}7${crypto.randomUUID().slice(15)}`;
}

/** Publishes deliveries past the outbox, each in a message of its own, so that they can be repeated and reordered. */
export async function send({ harness }: Platform, ...deliveries: readonly Delivery[]): Promise<void> {
  const messages = deliveries.map((delivery) => signedEvents(sourceOf(delivery), 'reporting', delivery));
  await Promise.all(messages.map((message) => publishSigned(harness.connection, message)));
}

function sourceOf({ name }: Delivery): string {
  return name.split('.')[0] ?? '';
}

/** All permutations of the items. */
export function permutations<T>(of: readonly T[]): T[][] {
  if (of.length === 0) return [[]];
  return of.flatMap((first, i) => permutations(of.filter((_, j) => j !== i)).map((rest) => [first, ...rest]));
}

/** The number of these events that the service has recorded as processed. */
export async function processed(platform: Platform, ids: readonly string[]): Promise<number> {
  const rows = await platform.sql(`SELECT 1 FROM processed WHERE event_id = ANY($1::uuid[])`, [ids]);
  return rows.length;
}

/** Sums where pools and ledger agree. */
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

/** The ledger lines of an account, by type and resource. */
export function linesOf(platform: Platform, accountId: string) {
  return platform.sql(
    `SELECT type, resource, quantity, unit, reference_id, vault_id, actor_type FROM ledger_lines
      WHERE account_id = $1 ORDER BY type, resource, quantity`,
    [accountId],
  );
}

/** Does the work for all items, five at a time: fewer than the connections of an instance, which would time out in a queue. */
export async function fiveAtATime<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += 5)
    results.push(...(await Promise.all(items.slice(start, start + 5).map(work))));
  return results;
}
