import type { Delivery } from '@vaultsvc/contracts';
import { entriesOf } from '../../../apps/reporting/src/ledger/ledger-entries.js';
import { auditDeviations } from './audit-deviations.js';
import { counterDeviations } from './counter-deviations.js';
import type { AcknowledgedChange, ChangeLog } from './change-log.js';
import { counted, difference } from './multiset.js';
import type { LedgerLine, RecordedState } from './recorded-state.js';

/** The changes that callers know to stand. */
type Acknowledged = Pick<ChangeLog, 'acknowledged' | 'acknowledgedEntries'>;

/** The records that reporting or another service has lost, repeated or made up; empty when all of them agree. */
export function deviationsIn(
  state: RecordedState,
  { acknowledged, acknowledgedEntries }: Acknowledged,
): string[] {
  return [
    ...queueDeviations(state),
    ...acknowledgedDeviations(state.events, acknowledged),
    ...rowDeviations(state),
    ...auditDeviations(state, acknowledgedEntries),
    ...difference('ledger line', state.events.flatMap(linesOf).map(textOf), state.ledger.map(textOf)),
    ...poolDeviations(state),
    ...counterDeviations(state),
  ];
}

function queueDeviations({ waiting, deadLetters }: RecordedState): string[] {
  return [
    ...(waiting > 0 ? [`${waiting} events or jobs wait`] : []),
    ...(deadLetters > 0 ? [`${deadLetters} dead letters`] : []),
  ];
}

/** A caller was told that the change is made. */
function acknowledgedDeviations(
  events: readonly Delivery[],
  acknowledged: readonly AcknowledgedChange[],
): string[] {
  const counts = counted(events.map(({ name, requestId }) => `${name} of ${requestId}`));
  return acknowledged.flatMap(({ event, requestId, isRepeatable }) => {
    const count = counts.get(`${event} of ${requestId}`) ?? 0;
    const isRight = count === 1 || (isRepeatable && count > 1);
    return isRight ? [] : [`the acknowledged ${event} of ${requestId} has ${count} events`];
  });
}

function rowDeviations({ events, rows }: RecordedState): string[] {
  const fields = new Map(rows.map(({ event, field }) => [event, field]));
  const ids = events.flatMap(({ name, payload }) => {
    const field = fields.get(name);
    return field ? [`${name} of ${String((payload as Record<string, unknown>)[field])}`] : [];
  });
  const counts = counted(ids);
  return rows.flatMap(({ event, id }) => {
    const count = counts.get(`${event} of ${id}`) ?? 0;
    return count === 1 ? [] : [`a row shows ${event} of ${id}, which has ${count} events`];
  });
}

/** An entry without bytes is one operation. */
export function linesOf(delivery: Delivery): LedgerLine[] {
  return entriesOf(delivery).flatMap(({ accountId, eventId, storageBytes, bandwidthBytes }) => {
    const isOperation = storageBytes === null && bandwidthBytes === null;
    const lines = [
      ['storage', storageBytes],
      ['bandwidth', bandwidthBytes],
      ['operation', isOperation ? 1 : null],
    ] as const;
    return lines.flatMap(([resource, quantity]) =>
      quantity === null ? [] : [{ accountId, eventId, resource, quantity }],
    );
  });
}

function textOf({ accountId, eventId, resource, quantity }: LedgerLine): string {
  return `${quantity} ${resource} of ${accountId} by ${eventId}`;
}

/** No cycle of bandwidth ends during a race. */
function poolDeviations({ pools, ledger }: RecordedState): string[] {
  return pools.flatMap(({ accountId, storageUsed, bandwidthUsed, seatsUsed, stored, users }) => {
    const sumOf = (resource: string) =>
      ledger
        .filter((line) => line.accountId === accountId && line.resource === resource)
        .reduce((sum, { quantity }) => sum + quantity, 0);
    return [
      ['storage of the pool and of the ledger', storageUsed, sumOf('storage')],
      ['storage of the pool and of the services', storageUsed, stored],
      ['bandwidth of the pool and of the ledger', bandwidthUsed, sumOf('bandwidth')],
      ['seats and users', seatsUsed, users],
    ]
      .filter(([, one, other]) => one !== other)
      .map(([name, one, other]) => `${name} of ${accountId} are ${one} and ${other}`);
  });
}
