import { eventNamed } from '@vaultsvc/contracts';
import type { RunningService } from '@vaultsvc/service';
import { rowsOf } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import type { Platform } from '@vaultsvc/tools-testing/platform';

type ServiceName = 'auth' | 'sparks' | 'vaults' | 'forge' | 'notify' | 'integrations' | 'reporting';
const names: readonly ServiceName[] = [
  'auth',
  'sparks',
  'vaults',
  'forge',
  'notify',
  'integrations',
  'reporting',
];

interface Recorded extends Record<string, unknown> {
  readonly id: string;
  readonly name: string;
}

/** Waits until every consumer has processed every event, so that all effects of the calls before are booked. */
export async function untilSettled(platform: Platform): Promise<void> {
  await until(async () => {
    const recorded = await Promise.all(names.map((name) => eventsOf(platform[name])));
    const all = recorded.flat();
    const open = await Promise.all(names.map((name) => unprocessed(platform[name], name, all)));
    return open.every((count) => count === 0);
  });
}

const eventsOf = (service: RunningService) =>
  rowsOf<Recorded>(service, 'SELECT id, name FROM recorded_events');

/** How many events a consumer has not processed. */
async function unprocessed(
  service: RunningService,
  consumer: string,
  events: readonly Recorded[],
): Promise<number> {
  const ids = events.filter(({ name }) => eventNamed(name)?.consumers.includes(consumer)).map(({ id }) => id);
  if (ids.length === 0) return 0;
  const rows = await rowsOf<{ id: string }>(
    service,
    `SELECT id FROM unnest($1::uuid[]) AS id WHERE NOT EXISTS (SELECT 1 FROM processed WHERE event_id = id)`,
    [ids],
  );
  return rows.length;
}
