// Simulates a network, as discrete events.
import { EventQueue } from './event-queue.ts';
import type { Network, Path } from './network.ts';
import { percentilesOf, type Percentiles } from './speed-mixture.ts';
import { Machine, StationProcess, type Item } from './station-process.ts';

export interface SimulatedLoad {
  /** Each sends a request after the answer to its previous one. */
  readonly callers: number;
  /** Answers, after which the simulation ends. */
  readonly requests: number;
  readonly path: Path;
}

/** The percentiles are those of a machine whose speed varies by the sigma of the network. */
export interface Simulated extends Percentiles {
  readonly perSecond: number;
  /** Milliseconds of each counted request, at the mean speed. */
  readonly times: readonly number[];
  /** Processor time for a request, in microseconds, by station. */
  readonly cpuUs: Readonly<Record<string, number>>;
}

/** The first answers come while the queues fill, and are not counted. */
const WARM_UP_SHARE = 0.2;

/** @param random from 0 to 1, exclusive; the same numbers give the same result */
export function simulate(network: Network, load: SimulatedLoad, random: () => number): Simulated {
  return new Simulation(network, random).run(load);
}

class Simulation {
  readonly #events = new EventQueue();
  readonly #processes: ReadonlyMap<string, readonly StationProcess[]>;
  readonly #sigma: number;
  readonly #random: () => number;

  constructor(network: Network, random: () => number) {
    const { cores, stations, wakeUs, deferredShare = 0, sigma = 0 } = network;
    this.#sigma = sigma;
    this.#random = random;
    const machines = new Map(Object.entries(cores).map(([name, count]) => [name, new Machine(count)]));
    const pass = (now: number, items: readonly Item[]) => {
      for (const item of items) item.position += 1;
      this.#arrive(now, items);
    };
    const surroundings = { events: this.#events, random, wakeUs, deferredShare, pass };
    this.#processes = new Map(
      stations.map((station) => {
        const { name, copies = 1, machine: machineName = 'all' } = station;
        const machine = machines.get(machineName);
        if (!machine) throw new Error(`${name} has no machine ${machineName}`);
        return [
          name,
          Array.from({ length: copies }, () => new StationProcess(station, machine, surroundings)),
        ];
      }),
    );
  }

  run({ callers, requests, path }: SimulatedLoad): Simulated {
    const skipped = Math.floor(requests * WARM_UP_SHARE);
    const times: number[] = [];
    let [answers, startedAt, endedAt] = [0, 0, 0];
    let [before, after] = [this.#usedUs(), this.#usedUs()];
    const requestAt = (sentAt: number): Item => {
      const done = (now: number): Item[] => {
        answers += 1;
        if (answers === skipped) [startedAt, before] = [now, this.#usedUs()];
        if (answers > skipped && answers <= requests) times.push((now - sentAt) / 1_000);
        if (answers === requests) [endedAt, after] = [now, this.#usedUs()];
        if (answers >= requests) return [];
        return [itemOf(path.afterwards, () => []), requestAt(now)];
      };
      return itemOf(path.visits, done);
    };
    this.#arrive(
      0,
      Array.from({ length: callers }, () => requestAt(0)),
    );
    this.#events.run();
    const usedUs = Object.entries(after).map(([name, us]): [string, number] => [
      name,
      (us - (before[name] ?? 0)) / times.length,
    ]);
    const perSecond = times.length / ((endedAt - startedAt) / 1e6);
    return { perSecond, times, cpuUs: Object.fromEntries(usedUs), ...percentilesOf(times, this.#sigma) };
  }

  #usedUs(): Record<string, number> {
    const used = [...this.#processes].map(([name, copies]): [string, number] => [
      name,
      copies.reduce((sum, process) => sum + process.usedUs, 0),
    ]);
    return Object.fromEntries(used);
  }

  /** Items that come together are all there before a process begins with them. */
  #arrive(now: number, items: readonly Item[]): void {
    const reached = new Set<StationProcess>();
    const enter = (item: Item): void => {
      const name = item.path[item.position];
      if (name === undefined) return item.done(now).forEach(enter);
      const process = this.#oneOf(name);
      process.add(item);
      reached.add(process);
    };
    items.forEach(enter);
    for (const process of reached) process.offer(now);
  }

  #oneOf(name: string): StationProcess {
    const copies = this.#processes.get(name) ?? [];
    const process = copies[Math.floor(this.#random() * copies.length)];
    if (!process) throw new Error(`no station ${name}`);
    return process;
  }
}

function itemOf(path: readonly string[], done: Item['done']): Item {
  return { path, done, position: 0 };
}
