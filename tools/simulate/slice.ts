// Measures one load in one round.
import type { StackDescription } from '../stack/descriptor.ts';
import { cpuMicroseconds, perRequest } from '../bench/cpu.ts';
import type { Measured } from '../bench/load.ts';
import type { EventBacklog } from '../bench/platform/event-backlog.ts';
import { readHops } from '../bench/platform/hops.ts';
import { byGroup, productPids, type GroupFigures } from '../bench/platform/process-groups.ts';
import { KIB, type Step } from '../bench/platform/rounds.ts';
import { sparksClient, type CreatedSparks } from '../bench/sparks.ts';

export interface Slice {
  /** Milliseconds of each call. */
  readonly times: Float64Array;
  /** Milliseconds of all callers together. */
  readonly elapsedMs: number;
  /** Milliseconds of its statements. */
  readonly databaseMs: number;
  /** Processor time in microseconds, by station; that of the load itself is `client`. */
  readonly cpuUs: Readonly<Record<string, number>>;
}

/** The stations of the network by the groups of processes. */
const STATION_OF: Readonly<Record<string, string>> = {
  gateway: 'gateway',
  sparks: 'sparks',
  PostgreSQL: 'postgres',
  NATS: 'nats',
  Redis: 'redis',
  'other services': 'events',
};

/** Creates and burns `count` Sparks. */
export interface Load {
  readonly callers: number;
  readonly count: number;
}

export interface Bench {
  readonly stack: StackDescription;
  readonly backlog: EventBacklog;
  /** Percent of a core, by group. */
  readonly idle: GroupFigures;
}

export async function measureSlices(bench: Bench, { callers, count }: Load): Promise<Record<Step, Slice>> {
  const client = sparksClient(bench.stack.api_url, bench.stack.account.api_key ?? '', callers);
  try {
    await client.connect();
    let results: CreatedSparks['results'] = [];
    const create = await measureSlice(bench, async () => {
      const created = await client.create({ count, bytes: KIB });
      results = created.results;
      return created;
    });
    return { create, burn: await measureSlice(bench, () => client.burn({ results })) };
  } finally {
    client.close();
  }
}

/** The metrics are read outside of the measured time, because they cost the services some of theirs. */
async function measureSlice(
  { stack, backlog, idle }: Bench,
  send: () => Promise<Measured<unknown>>,
): Promise<Slice> {
  const pids = productPids(stack);
  const hops = await readHops(stack);
  const [cpu, own, startedAt] = [cpuMicroseconds(pids), process.cpuUsage(), performance.now()];
  const { count, errors, perSecond, times } = await send();
  if (errors > 0) throw new Error(`${errors} requests failed`);
  const { user, system } = process.cpuUsage(own);
  await backlog.wait();
  const { all: _all, ...groups } = byGroup(perRequest(cpu, cpuMicroseconds(pids), 1));
  const sinceMs = performance.now() - startedAt;
  // Percent of a core is 10 µs of each millisecond.
  const withoutIdle = ([group, us]: [string, number]): [string, number] => [
    STATION_OF[group] ?? group,
    us - (idle[group] ?? 0) * 10 * sinceMs,
  ];
  return {
    times,
    elapsedMs: (1_000 * count) / perSecond,
    databaseMs: (await readHops(stack)).database - hops.database,
    cpuUs: { client: user + system, ...Object.fromEntries(Object.entries(groups).map(withoutIdle)) },
  };
}
