// The network whose costs are those that were measured with one caller and with many.
import { randomFrom } from '../test/random.ts';
import type { Step } from '../bench/platform/rounds.ts';
import type { Measurement } from './costs.ts';
import { networkOf, type Unknowns } from './fitted-network.ts';
import type { Network, Path } from './network.ts';
import { PATHS } from './request-paths.ts';
import { simulate } from './simulation.ts';
import { percentilesOf } from './speed-mixture.ts';

/** A network, and the path whose costs it has. */
export interface Fitted {
  readonly network: Network;
  readonly path: Path;
}

/** The measured loads of one step: one caller, many, and so many that queues are always full. */
export interface Loads {
  readonly one: Measurement;
  readonly many: Measurement;
  readonly most: Measurement;
}

/** To wake a process that sleeps takes the kernel no less. */
const LEAST_WAKE_US = 30;
/** Of the work of a process; the rest must come before the reply. */
const MOST_DEFERRED = 0.9;
/** Items that a batch may have at most: what a read of a socket returns. */
const ITEMS_MAX = [8, 16, 32, 64, 128];
const SIGMAS = Array.from({ length: 17 }, (_, index) => index / 20);

const PASSES = 5;
/** Simulated requests of each caller, and at least. */
const REQUESTS = { ofCaller: 50, least: 1_500 };

/**
 * With one caller each item is a batch of its own; with many, batches have several. The shares of the batches are those by which many
 * callers cost what was measured. So much work follows the reply that one caller gets the measured rate; where even none is too fast, waking
 * takes longer. The largest batches are those by which the rates of many callers fit best, and sigma that by which all p99 do.
 * @param largest the sizes that the largest batch may have
 */
export function fit(step: Step, loads: Loads, cores: number, largest = ITEMS_MAX): Fitted {
  const fits = largest.map((itemsMax) => new Fit(step, itemsMax, loads, cores));
  const [best] = fits.toSorted((a, b) => a.distance - b.distance);
  if (!best) throw new Error('nothing was fitted');
  return best.fitted();
}

class Fit {
  /** How far the rates of many callers are from the measured ones. */
  readonly distance: number;
  readonly #step: Step;
  readonly #loads: Loads;
  readonly #cores: number;
  #unknowns: Unknowns;

  constructor(step: Step, itemsMax: number, loads: Loads, cores: number) {
    this.#step = step;
    this.#loads = loads;
    this.#cores = cores;
    this.#unknowns = {
      batchShares: Object.fromEntries(Object.keys(loads.one.cpuUs).map((name) => [name, 0.5])),
      deferredShare: 0,
      wakeUs: LEAST_WAKE_US,
      itemsMax,
      sigma: 0,
    };
    for (let pass = 0; pass < PASSES; pass++) this.#improve();
    this.distance = sum(
      [loads.many, loads.most].map((load) => distanceOf(this.#run(load).perSecond, load.perSecond)),
    );
  }

  fitted(): Fitted {
    const loads = Object.values(this.#loads) as Measurement[];
    const simulated = loads.map((load) => ({ p99: load.p99, times: this.#run(load).times }));
    const distances = SIGMAS.map((sigma) => ({
      sigma,
      distance: sum(simulated.map(({ times, p99 }) => distanceOf(percentilesOf(times, sigma).p99, p99))),
    }));
    const { sigma = 0 } = distances.toSorted((a, b) => a.distance - b.distance)[0] ?? {};
    return { network: this.#network({ sigma }), path: PATHS[this.#step] };
  }

  #improve(): void {
    const { one, many, most } = this.#loads;
    const simulated = [many, most].map((load) => ({ load, cpuUs: this.#run(load).cpuUs }));
    const shareOf = ([name, single]: [string, number]): [string, number] => {
      const tooMuch = simulated.map(({ load, cpuUs }) => (cpuUs[name] ?? 0) - (load.cpuUs[name] ?? 0));
      return [name, within01((this.#unknowns.batchShares[name] ?? 0) + sum(tooMuch) / single / 4)];
    };
    this.#set({ batchShares: Object.fromEntries(Object.entries(one.cpuUs).map(shareOf)) });
    this.#set({ wakeUs: LEAST_WAKE_US });
    const isFast = (changed: Partial<Unknowns>) => this.#run(one, changed).perSecond >= one.perSecond;
    this.#set({ deferredShare: least(0, MOST_DEFERRED, (deferredShare) => isFast({ deferredShare })) });
    const longest = 1e6 / one.perSecond / PATHS[this.#step].visits.length;
    this.#set({ wakeUs: least(LEAST_WAKE_US, longest, (wakeUs) => !isFast({ wakeUs })) });
  }

  #set(changed: Partial<Unknowns>): void {
    this.#unknowns = { ...this.#unknowns, ...changed };
  }

  #run({ callers }: Measurement, changed: Partial<Unknowns> = {}) {
    const requests = Math.max(REQUESTS.least, callers * REQUESTS.ofCaller);
    return simulate(this.#network(changed), { callers, requests, path: PATHS[this.#step] }, randomFrom(1));
  }

  #network(changed: Partial<Unknowns>): Network {
    return networkOf(this.#step, this.#loads.one, this.#cores, { ...this.#unknowns, ...changed });
  }
}

function distanceOf(one: number, other: number): number {
  return Math.abs(Math.log(one / other));
}

function within01(share: number): number {
  return Math.min(1, Math.max(0, share));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const HALVINGS = 8;

/** The least value from `low` to `high` that is enough; `high` where none is. */
function least(low: number, high: number, isEnough: (value: number) => boolean): number {
  if (isEnough(low)) return low;
  let [tooLow, enough] = [low, Math.max(low, high)];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (tooLow + enough) / 2;
    if (isEnough(middle)) enough = middle;
    else tooLow = middle;
  }
  return enough;
}
