// Measures the cost of a request in each process, with one caller and with many.
import type { Client } from 'pg';
import type { StackDescription } from '../stack/descriptor.ts';
import { percentiles } from '../bench/load.ts';
import { openEventBacklog } from '../bench/platform/event-backlog.ts';
import { measureIdle } from '../bench/platform/idle.ts';
import { byGroup, productPids } from '../bench/platform/process-groups.ts';
import { STEPS, type Step } from '../bench/platform/rounds.ts';
import { say } from '../bench/report.ts';
import { measureSlices, type Load, type Slice } from './slice.ts';

/** The effect of a load on the platform, over all its rounds. */
export interface Measurement {
  callers: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Of the statements of a request, in microseconds. */
  databaseUs: number;
  /** Processor time for a request in microseconds, by station. */
  cpuUs: Record<string, number>;
}

export type Measurements = Record<Step, Measurement>;

/** Without it the first round would measure compilers and empty caches. */
const WARM_UP = { callers: 32, count: 3_000 };

/**
 * Measures each load once in each round. The rounds begin with different loads, so that a drift of the machine meets all of them alike. The
 * rounds of a load are added up: the machine's phases last longer than a round, and a median would take one load from a fast phase and the
 * next from a slow one.
 * @returns in the order of the loads
 */
export async function measureCosts(
  stack: StackDescription,
  database: Client,
  loads: readonly Load[],
  rounds: number,
): Promise<Measurements[]> {
  const backlog = await openEventBacklog(stack, database);
  const measured = loads.map(() => ({ create: [] as Slice[], burn: [] as Slice[] }));
  try {
    say('warming up');
    await measureSlices({ stack, backlog, idle: { all: 0 } }, WARM_UP);
    const { all: _all, ...percents } = await measureIdle(productPids(stack), backlog);
    const bench = { stack, backlog, idle: byGroup(percents) };
    for (let round = 0; round < rounds; round++) {
      say(`round ${round + 1} of ${rounds}: ${loads.map(({ callers }) => callers).join(', ')} callers`);
      for (let index = 0; index < loads.length; index++) {
        const at = (round + index) % loads.length;
        const slices = await measureSlices(bench, loads[at] as Load);
        for (const step of STEPS) measured[at]?.[step].push(slices[step]);
      }
    }
  } finally {
    await backlog.close();
  }
  return loads.map(({ callers }, index) => ({
    create: together(callers, measured[index]?.create ?? []),
    burn: together(callers, measured[index]?.burn ?? []),
  }));
}

function together(callers: number, slices: readonly Slice[]): Measurement {
  const sum = (figure: (slice: Slice) => number) => slices.reduce((all, slice) => all + figure(slice), 0);
  const times = Float64Array.from(slices.flatMap((slice) => [...slice.times]));
  const { p50, p99 } = percentiles(times);
  const names = Object.keys(slices[0]?.cpuUs ?? {});
  return {
    callers,
    perSecond: (1_000 * times.length) / sum(({ elapsedMs }) => elapsedMs),
    p50,
    p99,
    databaseUs: (1_000 * sum(({ databaseMs }) => databaseMs)) / times.length,
    // An idle process may use less than before.
    cpuUs: Object.fromEntries(
      names.map((name) => [name, Math.max(1, sum(({ cpuUs }) => cpuUs[name] ?? 0) / times.length)]),
    ),
  };
}
