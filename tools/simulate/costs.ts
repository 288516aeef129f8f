// What a request costs each process, measured with one caller and with many.
import type { StackDescription } from '../stack/descriptor.ts';
import { cpuMicroseconds, perRequest } from '../bench/cpu.ts';
import { openEventBacklog, type EventBacklog } from '../bench/platform/event-backlog.ts';
import { readHops, sharesOf } from '../bench/platform/hops.ts';
import { measureIdle } from '../bench/platform/idle.ts';
import { byGroup, productPids, type GroupFigures } from '../bench/platform/process-groups.ts';
import { KIB, type Step } from '../bench/platform/rounds.ts';
import { percentiles, type Measured } from '../bench/load.ts';
import { say } from '../bench/report.ts';
import { sparksClient, type CreatedSparks } from '../bench/sparks.ts';

/** What a load does to the platform: all its rounds together. */
export interface Measurement {
  callers: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Of the statements of a request, in microseconds. */
  databaseUs: number;
  /** Processor time for a request in microseconds, by station; that of the load itself is `client`. */
  cpuUs: Record<string, number>;
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

export type Measurements = Record<Step, Measurement>;

/** Creates and burns `count` Sparks. */
export interface Load {
  callers: number;
  count: number;
}

/** One load in one round. */
interface Slice {
  times: Float64Array;
  /** Milliseconds of all callers together. */
  elapsed: number;
  /** Milliseconds of its statements. */
  database: number;
  /** Processor time in microseconds, by station. */
  cpuUs: Record<string, number>;
}

/**
 * All loads in each round, in turn, and each round begins with another one, so that a drift of the machine meets all of them alike. What a
 * load did in all rounds is counted together: the machine's phases last longer than a round, and a median would take one load from a fast
 * phase and the next from a slow one.
 * @returns in the order of the loads
 */
export async function measureCosts(
  stack: StackDescription,
  database: Parameters<typeof openEventBacklog>[1],
  loads: readonly Load[],
  rounds: number,
): Promise<Measurements[]> {
  const backlog = await openEventBacklog(stack, database);
  const slices = loads.map((load) => ({ load, create: [] as Slice[], burn: [] as Slice[] }));
  try {
    const { all: _all, ...percents } = await measureIdle(productPids(stack), backlog);
    const bench = { stack, backlog, idle: byGroup(percents) };
    for (let round = 0; round < rounds; round++) {
      say(`round ${round + 1} of ${rounds}: ${loads.map(({ callers }) => callers).join(', ')} callers`);
      const first = round % slices.length;
      for (const each of [...slices.slice(first), ...slices.slice(0, first)]) {
        const { create, burn } = await measureRound(bench, each.load);
        each.create.push(create);
        each.burn.push(burn);
      }
    }
  } finally {
    await backlog.close();
  }
  return slices.map(({ load, create, burn }) => ({
    create: together(load.callers, create),
    burn: together(load.callers, burn),
  }));
}

interface Bench {
  stack: StackDescription;
  backlog: EventBacklog;
  idle: GroupFigures;
}

async function measureRound(bench: Bench, { callers, count }: Load): Promise<Record<Step, Slice>> {
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

async function measureSlice(
  { stack, backlog, idle }: Bench,
  send: () => Promise<Measured<unknown>>,
): Promise<Slice> {
  const pids = productPids(stack);
  const [cpu, hops, own, startedAt] = [
    cpuMicroseconds(pids),
    await readHops(stack),
    process.cpuUsage(),
    performance.now(),
  ];
  const { count, errors, perSecond, times, mean } = await send();
  if (errors > 0) throw new Error(`${errors} requests failed`);
  const { user, system } = process.cpuUsage(own);
  const stages = sharesOf(hops, await readHops(stack), count, mean);
  await backlog.wait();
  const { all: _all, ...groups } = byGroup(perRequest(cpu, cpuMicroseconds(pids), 1));
  // Percent of a core is 10 µs of each millisecond.
  const idleUs = (group: string) => (idle[group] ?? 0) * 10 * (performance.now() - startedAt);
  const stations = Object.entries(groups).map(([group, us]): [string, number] => [
    STATION_OF[group] ?? group,
    us - idleUs(group),
  ]);
  return {
    times,
    elapsed: (1_000 * count) / perSecond,
    database: count * (stages.find(({ leg }) => leg === 'PostgreSQL')?.ms ?? Number.NaN),
    cpuUs: { client: user + system, ...Object.fromEntries(stations) },
  };
}

function together(callers: number, slices: readonly Slice[]): Measurement {
  const sum = (figure: (slice: Slice) => number) => slices.reduce((all, slice) => all + figure(slice), 0);
  const times = Float64Array.from(slices.flatMap((slice) => [...slice.times]));
  const { p50, p99 } = percentiles(times);
  const names = Object.keys(slices[0]?.cpuUs ?? {});
  return {
    callers,
    perSecond: (1_000 * times.length) / sum(({ elapsed }) => elapsed),
    p50,
    p99,
    databaseUs: (1_000 * sum(({ database }) => database)) / times.length,
    cpuUs: Object.fromEntries(
      names.map((name) => [name, Math.max(1, sum(({ cpuUs }) => cpuUs[name] ?? 0) / times.length)]),
    ),
  };
}
