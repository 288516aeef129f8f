// The network whose costs are those that were measured with one caller and with many.
import { randomFrom } from '../test/random.ts';
import type { Step } from '../bench/platform/rounds.ts';
import type { Measurement } from './costs.ts';
import { simulate, type Network, type Path, type Station } from './network.ts';

/** A create is one statement, a burn two (ADR 26); its event leaves the outbox for the services that apply it. */
const PATHS: Readonly<Record<Step, Path>> = {
  create: pathWith('postgres', 'sparks'),
  burn: pathWith('postgres', 'sparks', 'postgres', 'sparks'),
};

function pathWith(...statements: string[]): Path {
  const there = ['client', 'gateway', 'redis', 'gateway', 'nats', 'sparks'];
  return {
    visits: [...there, ...statements, 'nats', 'gateway', 'client'],
    afterwards: ['sparks', 'postgres', 'nats', 'events', 'postgres'],
  };
}

/** Statements under way at once in each batcher (ADR 25): a burn passes two of them. */
const STATEMENTS: Readonly<Record<Step, number>> = { create: 2, burn: 4 };
/** Processes that apply events. */
const APPLYING = 2;
/** A collection of the young generation (docs/performance.md). */
const PAUSE = { afterItems: 120, us: 2_500 };
const COLLECTED = new Set(['gateway', 'sparks']);

/** What else the machine does takes it away so often; for how long is fitted. */
const STALL_EVERY_US = 250_000;
const STALLS_US = [0, 1_000, 2_000, 4_000, 6_000, 8_000, 12_000, 16_000, 24_000];
/** The p99 of a short run depends on when its stalls come: the mean of so many counts. */
const SEEDS = [1, 2, 3];

/** Items that a turn may take at most: what a read of a socket returns. The one that fits best is kept. */
const ITEMS_MAX = [4, 8, 16, 32];

const PASSES = 6;
/** Simulated requests of each caller, and at least. */
const REQUESTS = { ofCaller: 100, least: 1_500 };

/** What a measurement does not show at once. */
interface Unknowns {
  /** The shares of a turn in the cost of a single item, by station. */
  shares: Record<string, number>;
  itemsMax: number;
  wakeUs: number;
  stallUs: number;
  /** The cost of a visit before the reply: what processes do after it, such as writing logs, is measured with the rest. */
  weight: number;
}

/** A network, and the path whose costs it has. */
export interface Fitted {
  network: Network;
  path: Path;
}

/** The measured loads of one step: one caller, many callers, and so many that queues are always full. */
export interface Loads {
  one: Measurement;
  many: Measurement;
  most: Measurement;
}

/**
 * Of each station two costs are unknown: that of a turn and that of an item. With one caller each item is a turn of its own; with many,
 * turns have several. The shares are moved until the simulation of many callers costs what was measured, and the time between stations
 * until one caller waits as long as measured. The largest turns are those by which the rate of the most callers comes out, and the
 * stalls those whose p99 of many callers does.
 */
export function fit(step: Step, loads: Loads, cores: number): Fitted {
  const fits = ITEMS_MAX.map((itemsMax) => fitWith(step, itemsMax, loads, cores));
  const [best] = fits.toSorted((a, b) => a.distance - b.distance);
  if (!best) throw new Error('nothing was fitted');
  return best.fitted;
}

function fitWith(step: Step, itemsMax: number, { one, many, most }: Loads, cores: number) {
  const path = PATHS[step];
  const unknowns: Unknowns = {
    shares: Object.fromEntries(Object.keys(one.cpuUs).map((name) => [name, 0.5])),
    itemsMax,
    wakeUs: 0,
    stallUs: 0,
    weight: 1,
  };
  const run = ({ callers }: Measurement, seed = 1) => {
    const requests = Math.max(REQUESTS.least, callers * REQUESTS.ofCaller);
    const load = { callers, requests, pathOf: () => weighted(path, unknowns.weight) };
    return simulate(networkOf(step, path, one, unknowns, cores), load, randomFrom(seed));
  };
  for (let pass = 0; pass < PASSES; pass++) {
    const { cpuUs } = run(many);
    for (const [name, single] of Object.entries(one.cpuUs)) {
      const tooMuch = ((cpuUs[name] ?? 0) - (many.cpuUs[name] ?? 0)) / single;
      unknowns.shares[name] = Math.min(1, Math.max(0, (unknowns.shares[name] ?? 0) + tooMuch / 2));
    }
    bisect(1, (weight) => {
      Object.assign(unknowns, { weight, wakeUs: 0 });
      return run(one).p50 >= one.p50;
    });
    bisect((one.p50 * 1_000) / path.visits.length, (wakeUs) => {
      unknowns.wakeUs = wakeUs;
      return run(one).p50 >= one.p50;
    });
  }
  const distanceOf = (stallUs: number) => {
    unknowns.stallUs = stallUs;
    const p99 = SEEDS.reduce((sum, seed) => sum + run(many, seed).p99, 0) / SEEDS.length;
    return Math.abs(Math.log(p99 / many.p99));
  };
  const [nearest = 0] = STALLS_US.toSorted((a, b) => distanceOf(a) - distanceOf(b));
  unknowns.stallUs = nearest;
  const distance = [many, most].reduce(
    (sum, load) => sum + Math.abs(Math.log(run(load).perSecond / load.perSecond)),
    0,
  );
  return {
    distance,
    fitted: { network: networkOf(step, path, one, unknowns, cores), path: weighted(path, unknowns.weight) },
  };
}

/** Visits before the reply cost less, and those after it so much more that the sum is the same. */
function weighted(path: Path, weight: number): Path {
  const { visits, afterwards } = path;
  return {
    ...path,
    weights: { visits: weight, afterwards: 1 + ((1 - weight) * visits.length) / afterwards.length },
  };
}

const HALVINGS = 10;

/** Tries values from 0 to `most`, and leaves the least that is enough. */
function bisect(most: number, isEnough: (value: number) => boolean): void {
  let [low, high] = [0, most];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  isEnough(high);
}

function networkOf(
  step: Step,
  path: Path,
  one: Measurement,
  { shares, itemsMax, wakeUs, stallUs }: Unknowns,
  cores: number,
): Network {
  const visits = visitsOf(path);
  const stations = Object.entries(one.cpuUs).map(([name, us]) =>
    stationOf(name, us / (visits.get(name) ?? 1), shares[name] ?? 0, itemsMax),
  );
  return {
    cores: { all: cores },
    stations: stations.map((station) => {
      if (station.name === 'events') return { ...station, lanes: APPLYING };
      return station.name === 'postgres'
        ? { ...delayed(station, path, one), lanes: STATEMENTS[step] }
        : station;
    }),
    wakeUs,
    stalls: { everyUs: STALL_EVERY_US, us: stallUs },
  };
}

function stationOf(name: string, us: number, share: number, itemsMax: number): Station {
  const pausedUs = COLLECTED.has(name) ? Math.min(us / 2, PAUSE.us / PAUSE.afterItems) : 0;
  const workUs = us - pausedUs;
  const pause = { afterItems: PAUSE.us / Math.max(1, pausedUs), us: PAUSE.us };
  return {
    name,
    turnUs: share * workUs,
    itemUs: (1 - share) * workUs,
    lanes: 1,
    itemsMax,
    ...(pausedUs > 0 && { pause }),
  };
}

/** What a statement takes beyond its processor time: the commit, and the way there and back. */
function delayed(station: Station, path: Path, { databaseUs }: Measurement): Station {
  const statements = path.visits.filter((name) => name === 'postgres').length;
  return { ...station, delayUs: Math.max(0, databaseUs / statements - station.turnUs - station.itemUs) };
}

function visitsOf({ visits, afterwards }: Path): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of [...visits, ...afterwards]) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
