// What a request costs each process, measured with one caller and with many.
import type { StackDescription } from '../stack/descriptor.ts';
import { cpuMicroseconds, perRequest } from '../bench/cpu.ts';
import { openEventBacklog, type EventBacklog } from '../bench/platform/event-backlog.ts';
import { readHops, sharesOf } from '../bench/platform/hops.ts';
import { measureIdle } from '../bench/platform/idle.ts';
import { byGroup, productPids, type GroupFigures } from '../bench/platform/process-groups.ts';
import { KIB, type Step } from '../bench/platform/rounds.ts';
import { median, say } from '../bench/report.ts';
import { sparksClient } from '../bench/sparks.ts';

/** What a load does to the platform: medians of its rounds. */
export interface Measurement {
  callers: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Of the statements of a request, in microseconds: their mean, reduced as the median of the request is below its mean. */
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

/**
 * All loads in each round, in turn, so that a drift of the machine meets all of them alike.
 * @returns the medians of the rounds, in the order of the loads
 */
export async function measureCosts(
  stack: StackDescription,
  database: Parameters<typeof openEventBacklog>[1],
  loads: readonly Load[],
  rounds: number,
): Promise<Measurements[]> {
  const backlog = await openEventBacklog(stack, database);
  const measured: Measurements[][] = loads.map(() => []);
  try {
    const { all: _all, ...percents } = await measureIdle(productPids(stack), backlog);
    const idle = byGroup(percents);
    for (let round = 1; round <= rounds; round++) {
      say(`round ${round} of ${rounds}: ${loads.map(({ callers }) => callers).join(', ')} callers`);
      for (const [index, load] of loads.entries())
        measured[index]?.push(await measureRound(stack, backlog, idle, load));
    }
  } finally {
    await backlog.close();
  }
  return measured.map((each) => ({
    create: middleOf(each.map(({ create }) => create)),
    burn: middleOf(each.map(({ burn }) => burn)),
  }));
}

async function measureRound(
  stack: StackDescription,
  backlog: EventBacklog,
  idle: GroupFigures,
  { callers, count }: Load,
): Promise<Measurements> {
  const client = sparksClient(stack.api_url, stack.account.api_key ?? '', callers);
  const pids = productPids(stack);
  let results: (string | Error)[] = [];
  const measureStep = async (step: Step): Promise<Measurement> => {
    const [cpu, hops, own] = [cpuMicroseconds(pids), await readHops(stack), process.cpuUsage()];
    const load =
      step === 'create' ? await client.create({ count, bytes: KIB }) : await client.burn({ results });
    if (step === 'create') results = load.results as (string | Error)[];
    if (load.errors > 0) throw new Error(`${load.errors} requests failed`);
    const { user, system } = process.cpuUsage(own);
    const stages = sharesOf(hops, await readHops(stack), count, load.mean);
    await backlog.wait();
    const { all: _all, ...groups } = byGroup(perRequest(cpu, cpuMicroseconds(pids), count));
    // Percent of a core is 10,000 µs of each second.
    const withoutIdle = (group: string, us: number) => us - ((idle[group] ?? 0) * 10_000) / load.perSecond;
    const stations = Object.entries(groups).map(([group, us]) => [
      STATION_OF[group] ?? group,
      Math.max(1, withoutIdle(group, us)),
    ]);
    return {
      callers,
      perSecond: load.perSecond,
      p50: load.p50,
      p99: load.p99,
      databaseUs:
        ((1_000 * load.p50) / load.mean) * (stages.find(({ leg }) => leg === 'PostgreSQL')?.ms ?? Number.NaN),
      cpuUs: { client: (user + system) / count, ...Object.fromEntries(stations) },
    };
  };
  try {
    await client.connect();
    const create = await measureStep('create');
    return { create, burn: await measureStep('burn') };
  } finally {
    client.close();
  }
}

function middleOf(rounds: readonly Measurement[]): Measurement {
  const of = (figure: (round: Measurement) => number) => median(rounds.map(figure));
  const names = Object.keys(rounds[0]?.cpuUs ?? {});
  return {
    callers: rounds[0]?.callers ?? 0,
    perSecond: of(({ perSecond }) => perSecond),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
    databaseUs: of(({ databaseUs }) => databaseUs),
    cpuUs: Object.fromEntries(names.map((name) => [name, of(({ cpuUs }) => cpuUs[name] ?? 0)])),
  };
}
