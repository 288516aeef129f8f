// The network whose costs are those that were measured with one caller, a few and many.
import { randomFrom } from '../test/random.ts';
import type { Step } from '../bench/platform/rounds.ts';
import type { Measurement } from './costs.ts';
import { simulate, type Network, type Path, type Station } from './network.ts';
import { percentilesOf } from './speeds.ts';

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

/** The kernel wakes a process that sleeps in no less. */
const LEAST_WAKE_US = 30;
/** Items that a turn may take at most: what a read of a socket returns. The one that fits best is kept. */
const ITEMS_MAX = [8, 16, 32, 64, 128];
/** How much the speed of the machine may vary. */
const SIGMAS = Array.from({ length: 17 }, (_, index) => index / 20);

const PASSES = 6;
/** Simulated requests of each caller, and at least. */
const REQUESTS = { ofCaller: 100, least: 1_500 };

/** What a measurement does not show at once. */
interface Unknowns {
  /** The shares of a turn in the cost of a single item, by station, and the part of them that only a core costs that slept. */
  shares: Record<string, number>;
  coldShare: number;
  itemsMax: number;
  wakeUs: number;
  sigma: number;
  /** The cost of a visit before the reply: what processes do after it, such as writing logs, is measured with the rest. */
  weight: number;
}

/** A network, and the path whose costs it has. */
export interface Fitted {
  network: Network;
  path: Path;
}

/** The measured loads of one step: one caller, a few, many, and so many that queues are always full. */
export interface Loads {
  one: Measurement;
  few: Measurement;
  many: Measurement;
  most: Measurement;
}

/**
 * With one caller each item is a turn of its own, on a core that slept; with a few, turns follow each other; with many, turns have several
 * items. The share of the turns is moved until many callers cost what was measured, and the part of it that a core costs which slept until
 * a few do. What runs beside the reply, and then the time to wake a process, are moved until one caller gets the measured rate. The largest
 * turns are those by which the rates of many callers come out; the machine's speed varies so much that the p99 of all loads do.
 */
export function fit(step: Step, loads: Loads, cores: number): Fitted {
  const fits = ITEMS_MAX.map((itemsMax) => new Fit(step, itemsMax, loads, cores));
  const [best] = fits.toSorted((a, b) => a.distance() - b.distance());
  if (!best) throw new Error('nothing was fitted');
  return best.fitted();
}

class Fit {
  readonly #loads: Loads;
  readonly #networkOf: (unknowns: Unknowns) => Network;
  readonly #path: Path;
  readonly #unknowns: Unknowns;
  readonly #distance: number;

  constructor(step: Step, itemsMax: number, loads: Loads, cores: number) {
    const { cpuUs } = loads.one;
    this.#loads = loads;
    this.#path = PATHS[step];
    this.#networkOf = (unknowns) => networkOf(step, loads.one, unknowns, cores);
    this.#unknowns = {
      shares: Object.fromEntries(Object.keys(cpuUs).map((name) => [name, 0.5])),
      coldShare: 0.5,
      itemsMax,
      wakeUs: LEAST_WAKE_US,
      sigma: 0,
      weight: 1,
    };
    for (let pass = 0; pass < PASSES; pass++) this.#improve();
    this.#distance = [loads.many, loads.most].reduce(
      (sum, load) => sum + logarithmOf(this.#run(load).perSecond / load.perSecond),
      0,
    );
  }

  /** How far the rates of many callers are from the measured ones. */
  distance(): number {
    return this.#distance;
  }

  fitted(): Fitted {
    const all = Object.values(this.#loads).map((load: Measurement) => ({ load, ...this.#run(load) }));
    const distanceOf = (sigma: number) =>
      all.reduce((sum, { load, times }) => sum + logarithmOf(percentilesOf(times, sigma).p99 / load.p99), 0);
    const distances = SIGMAS.map((sigma) => ({ sigma, distance: distanceOf(sigma) }));
    const { sigma = 0 } = distances.toSorted((a, b) => a.distance - b.distance)[0] ?? {};
    return { network: this.#networkOf({ ...this.#unknowns, sigma }), path: this.#weighted() };
  }

  #improve(): void {
    const { one, few, many } = this.#loads;
    const unknowns = this.#unknowns;
    const simulated = this.#run(many).cpuUs;
    for (const [name, single] of Object.entries(one.cpuUs)) {
      const tooMuch = ((simulated[name] ?? 0) - (many.cpuUs[name] ?? 0)) / single;
      unknowns.shares[name] = within01((unknowns.shares[name] ?? 0) + tooMuch / 2);
    }
    unknowns.coldShare = within01(unknowns.coldShare + sum(this.#run(few).cpuUs) / sum(few.cpuUs) - 1);
    bisect(0, 1, (weight) => {
      Object.assign(unknowns, { weight, wakeUs: LEAST_WAKE_US });
      return this.#run(one).perSecond <= one.perSecond;
    });
    bisect(LEAST_WAKE_US, 1e6 / one.perSecond / this.#path.visits.length, (wakeUs) => {
      unknowns.wakeUs = wakeUs;
      return this.#run(one).perSecond <= one.perSecond;
    });
  }

  #run({ callers }: Measurement) {
    const path = this.#weighted();
    const requests = Math.max(REQUESTS.least, callers * REQUESTS.ofCaller);
    return simulate(
      this.#networkOf(this.#unknowns),
      { callers, requests, pathOf: () => path },
      randomFrom(1),
    );
  }

  /** Visits before the reply cost less, and those after it so much more that the sum is the same. */
  #weighted(): Path {
    const { visits, afterwards } = this.#path;
    const { weight } = this.#unknowns;
    return {
      visits,
      afterwards,
      weights: { visits: weight, afterwards: 1 + ((1 - weight) * visits.length) / afterwards.length },
    };
  }
}

/** How far a ratio is from one. */
function logarithmOf(ratio: number): number {
  return Math.abs(Math.log(ratio));
}

function within01(share: number): number {
  return Math.min(1, Math.max(0, share));
}

function sum(costs: Record<string, number>): number {
  return Object.values(costs).reduce((total, us) => total + us, 0);
}

const HALVINGS = 10;

/** Tries values from `least` to `most`, and leaves the least that is enough. */
function bisect(least: number, most: number, isEnough: (value: number) => boolean): void {
  let [low, high] = [least, Math.max(least, most)];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  isEnough(high);
}

function networkOf(step: Step, one: Measurement, unknowns: Unknowns, cores: number): Network {
  const path = PATHS[step];
  const visits = visitsOf(path);
  const stations = Object.entries(one.cpuUs).map(([name, us]) =>
    stationOf(name, us / (visits.get(name) ?? 1), unknowns),
  );
  return {
    cores: { all: cores },
    stations: stations.map((station) => {
      if (station.name === 'events') return { ...station, lanes: APPLYING };
      return station.name === 'postgres'
        ? { ...delayed(station, path, one), lanes: STATEMENTS[step] }
        : station;
    }),
    wakeUs: unknowns.wakeUs,
    sigma: unknowns.sigma,
  };
}

/** @param us of a visit of one caller */
function stationOf(name: string, us: number, { shares, coldShare, itemsMax }: Unknowns): Station {
  const pausedUs = COLLECTED.has(name) ? Math.min(us / 2, PAUSE.us / PAUSE.afterItems) : 0;
  const workUs = us - pausedUs;
  const turnUs = (shares[name] ?? 0) * workUs;
  const pause = { afterItems: PAUSE.us / Math.max(1, pausedUs), us: PAUSE.us };
  return {
    name,
    turnUs: (1 - coldShare) * turnUs,
    coldUs: coldShare * turnUs,
    itemUs: workUs - turnUs,
    lanes: 1,
    itemsMax,
    ...(pausedUs > 0 && { pause }),
  };
}

/** What a statement takes beyond its processor time: the commit, and the way there and back. */
function delayed(station: Station, path: Path, { databaseUs }: Measurement): Station {
  const statements = path.visits.filter((name) => name === 'postgres').length;
  const usedUs = station.turnUs + (station.coldUs ?? 0) + station.itemUs;
  return { ...station, delayUs: Math.max(0, databaseUs / statements - usedUs) };
}

function visitsOf({ visits, afterwards }: Path): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of [...visits, ...afterwards]) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
