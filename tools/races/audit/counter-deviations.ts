import type { Delivery } from '@vaultsvc/contracts';
import { usageCountsOf } from '../../../apps/reporting/src/analytics/usage-counts.js';
import { entriesOf } from '../../../apps/reporting/src/ledger/ledger-entries.js';
import { difference } from './multiset.js';
import type { RecordedState } from './recorded-state.js';

/** The values that the counters of analytics count by hour, and since an account exists. */
const OF_HOURS = ['operations', 'sparksCreated', 'vaultsCreated', 'ingotsCreated'] as const;
const OF_TOTALS = [
  ...([
    'sparksCreated',
    'sparksBurned',
    'sparksDeleted',
    'sparksExpired',
    'vaultsCreated',
    'vaultsDeleted',
  ] as const),
  ...(['ingots', 'ingotBytes', 'downloads', 'transferredBytes'] as const),
];

/** A counter of an account, in an hour or in total. Zeros are left out: whether they have a row does not matter. */
export interface Counter {
  readonly accountId: string;
  /** null: since the account exists. */
  readonly hour: number | null;
  readonly name: string;
  readonly count: number;
}

/** Counters that are not what the events add up to. */
export function counterDeviations({ events, counters }: RecordedState): string[] {
  const textOf = ({ accountId, hour, name, count }: Counter) =>
    `${count} ${name} of ${accountId} in ${hour ?? 'total'}`;
  return difference('counter', countersOf(events).map(textOf), counters.map(textOf));
}

function countersOf(events: readonly Delivery[]): Counter[] {
  const counts = usageCountsOf(events, events.flatMap(entriesOf));
  const accounts = [...new Set(counts.map(({ accountId }) => accountId))];
  const ofHours = counts.flatMap(({ accountId, hour, ...count }) =>
    OF_HOURS.map((name) => ({ accountId, hour, name, count: count[name] })),
  );
  const ofTotals = accounts.flatMap((accountId) => {
    const own = counts.filter((count) => count.accountId === accountId);
    const sumOf = (name: (typeof OF_TOTALS)[number]) => own.reduce((sum, count) => sum + count[name], 0);
    return OF_TOTALS.map((name) => ({ accountId, hour: null, name, count: sumOf(name) }));
  });
  return [...ofHours, ...ofTotals].filter(({ count }) => count !== 0);
}

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const columns = (names: readonly string[]) => names.map((name) => `('${name}', ${snakeCase(name)})`).join();

/** Reads a row for each counter. */
export const COUNTERS = `
  SELECT account_id AS "accountId", hour, name, count::float8 AS count
    FROM (SELECT account_id, hour, c.* FROM reporting.usage_by_hour, LATERAL (VALUES ${columns(OF_HOURS)}) c (name, count)
          UNION ALL
          SELECT account_id, NULL, c.* FROM reporting.usage_totals, LATERAL (VALUES ${columns(OF_TOTALS)}) c (name, count)) counters
   WHERE count <> 0`;
