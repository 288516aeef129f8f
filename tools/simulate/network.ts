// A closed queueing network of processes that share a few cores, as discrete events.
import { EventQueue } from './event-queue.ts';
import { percentilesOf } from './speeds.ts';

/**
 * A process with an event loop, or a server with several connections. When it gets a core it takes everything that waits, in one turn: so a
 * turn costs the same however much it takes, and each item something more. An item leaves when it is done, while the turn goes on.
 */
export interface Station {
  readonly name: string;
  /** Processor time of a turn, and of each item of it, in microseconds. */
  readonly turnUs: number;
  readonly itemUs: number;
  /** What a turn costs more on a core that slept before, in microseconds. */
  readonly coldUs?: number;
  /** Turns under way at once: one for an event loop, the number of connections for PostgreSQL. */
  readonly lanes: number;
  /** Items that a turn takes at most. */
  readonly itemsMax?: number;
  /** Time that a turn goes on without a core, such as that of a commit, in microseconds. */
  readonly delayUs?: number;
  /** A collection of the heap after so many items, and how long it takes, in microseconds. */
  readonly pause?: { readonly afterItems: number; readonly us: number };
  /** Processes of the same kind; an item goes to one of them by chance. */
  readonly copies?: number;
  /** The machine whose cores it uses. */
  readonly machine?: string;
}

/** The stations that a request visits in turn, and those that its events visit after the reply. */
export interface Path {
  readonly visits: readonly string[];
  readonly afterwards: readonly string[];
  /** What a visit of either kind costs, as a multiple of the costs of the station (1). */
  readonly weights?: { readonly visits: number; readonly afterwards: number };
}

export interface Network {
  /** Cores of each machine; stations without one are on `all`. */
  readonly cores: Readonly<Record<string, number>>;
  readonly stations: readonly Station[];
  /** Until a process that sleeps is awake, in microseconds. */
  readonly wakeUs: number;
  /** How much the speed of the machines varies (speeds.ts). */
  readonly sigma?: number;
}

export interface Load {
  /** Callers, each of which sends a request after the answer to its previous one. */
  readonly callers: number;
  readonly requests: number;
  /** The path of each request. */
  readonly pathOf: (request: number) => Path;
}

export interface Simulated {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Of each counted request, at the mean speed. */
  readonly times: readonly number[];
  /** Processor time for a request, in microseconds, by station. */
  readonly cpuUs: Readonly<Record<string, number>>;
}

/** The first part of the requests fills the queues, and is not counted. */
const WARM_UP_SHARE = 0.2;

interface Item {
  readonly path: readonly string[];
  readonly weight: number;
  /** @returns what follows at once */
  readonly done: (now: number) => readonly Item[];
  position: number;
}

interface Process {
  readonly station: Station;
  readonly machine: Machine;
  readonly waiting: Item[];
  /** Turns of which the process is woken, that wait for a core, run, or wait for their delay. */
  turns: number;
  /** Whether a turn that has not begun will take what waits. */
  isAsking: boolean;
}

interface Machine {
  free: number;
  readonly ready: Process[];
}

/** @param random from 0 to 1, exclusive; the same numbers give the same result */
export function simulate(network: Network, load: Load, random: () => number): Simulated {
  return new Simulation(network, random).run(load);
}

class Simulation {
  readonly #events = new EventQueue();
  readonly #processes = new Map<string, readonly Process[]>();
  readonly #cpu = new Map<string, number>();
  readonly #wakeUs: number;
  readonly #sigma: number;
  readonly #random: () => number;

  constructor({ cores, stations, wakeUs, sigma = 0 }: Network, random: () => number) {
    this.#wakeUs = wakeUs;
    this.#sigma = sigma;
    this.#random = random;
    const machines = new Map(
      Object.entries(cores).map(([name, free]): [string, Machine] => [name, { free, ready: [] }]),
    );
    for (const station of stations) {
      const machine = machines.get(station.machine ?? 'all');
      if (!machine) throw new Error(`${station.name} has no machine ${station.machine}`);
      const copies = Array.from({ length: station.copies ?? 1 }, () => ({
        station,
        machine,
        waiting: [],
        turns: 0,
        isAsking: false,
      }));
      this.#processes.set(station.name, copies);
    }
  }

  run({ callers, requests, pathOf }: Load): Simulated {
    const times: number[] = [];
    const skipped = Math.floor(requests * WARM_UP_SHARE);
    let [sent, startedAt, endedAt] = [0, 0, 0];
    let cpuBefore = new Map<string, number>();
    const next = (now: number): readonly Item[] => {
      if (sent === requests) return [];
      const { visits, afterwards, weights = { visits: 1, afterwards: 1 } } = pathOf(sent);
      if (sent === skipped) [startedAt, cpuBefore] = [now, new Map(this.#cpu)];
      const isCounted = sent >= skipped;
      sent += 1;
      const done = (then: number) => {
        if (isCounted) times.push((then - now) / 1_000);
        endedAt = then;
        return [itemOf(afterwards, weights.afterwards, () => []), ...next(then)];
      };
      return [itemOf(visits, weights.visits, done)];
    };
    this.#arrive(0, Array.from({ length: callers }, () => next(0)).flat());
    this.#events.run();
    const used = (name: string) => (this.#cpu.get(name) ?? 0) - (cpuBefore.get(name) ?? 0);
    const cpuUs = Object.fromEntries(
      [...this.#processes.keys()].map((name) => [name, used(name) / times.length]),
    );
    return {
      perSecond: times.length / ((endedAt - startedAt) / 1e6),
      times,
      cpuUs,
      ...percentilesOf(times, this.#sigma),
    };
  }

  #arrive(now: number, items: readonly Item[]): void {
    const reached = new Set<Process>();
    const enter = (item: Item): void => {
      const name = item.path[item.position];
      if (name === undefined) item.done(now).forEach(enter);
      else reached.add(this.#enqueue(name, item));
    };
    items.forEach(enter);
    for (const process of reached) this.#offer(now, process);
  }

  #enqueue(name: string, item: Item): Process {
    const copies = this.#processes.get(name);
    const process = copies?.[Math.floor(this.#random() * copies.length)];
    if (!process) throw new Error(`no station ${name}`);
    process.waiting.push(item);
    return process;
  }

  /** A process that slept is woken first; what arrives meanwhile is taken with the rest. */
  #offer(now: number, process: Process): void {
    const { machine } = process;
    if (process.turns > 0) {
      this.#goOn(process);
      return this.#dispatch(now, machine);
    }
    if (!mayAsk(process)) return;
    process.turns += 1;
    process.isAsking = true;
    this.#events.add(now + this.#wakeUs, (then) => {
      machine.ready.push(process);
      this.#dispatch(then, machine);
    });
  }

  /** @param isWarm whether the next turn takes a core that has just ended another one */
  #dispatch(now: number, machine: Machine, isWarm = false): void {
    let isCold = !isWarm;
    while (machine.free > 0) {
      const process = machine.ready.shift();
      if (!process) return;
      machine.free -= 1;
      this.#turn(now, process, isCold);
      isCold = true;
    }
  }

  #turn(now: number, process: Process, isCold: boolean): void {
    const { station, machine } = process;
    const items = process.waiting.splice(0, station.itemsMax ?? process.waiting.length);
    const heaviest = Math.max(...items.map(({ weight }) => weight));
    const turnUs = station.turnUs + (isCold ? (station.coldUs ?? 0) : 0);
    const workUs = heaviest * turnUs + items.reduce((sum, { weight }) => sum + weight * station.itemUs, 0);
    const factor = this.#spread();
    const usedUs = workUs * factor + this.#pauseUs(station, items.length);
    this.#cpu.set(station.name, (this.#cpu.get(station.name) ?? 0) + usedUs);
    process.isAsking = false;
    const delayUs = (station.delayUs ?? 0) * this.#spread();
    if (delayUs === 0) this.#passEach(now + usedUs, items, station.itemUs * factor);
    else this.#events.add(now + usedUs + delayUs, (then) => this.#pass(then, items));
    this.#events.add(now + usedUs, (then) => {
      machine.free += 1;
      if (delayUs === 0) process.turns -= 1;
      else this.#events.add(then + delayUs, (later) => this.#end(later, process));
      this.#goOn(process);
      this.#dispatch(then, machine, true);
    });
  }

  /** The last one leaves at the end of the turn, the others when they are done. */
  #passEach(end: number, items: readonly Item[], itemUs: number): void {
    let at = end;
    for (const item of items.toReversed()) {
      this.#events.add(at, (then) => this.#pass(then, [item]));
      at -= itemUs * item.weight;
    }
  }

  #pass(now: number, items: readonly Item[]): void {
    for (const item of items) item.position += 1;
    this.#arrive(now, items);
  }

  #end(now: number, process: Process): void {
    process.turns -= 1;
    this.#goOn(process);
    this.#dispatch(now, process.machine);
  }

  /** A process that is awake asks for a core at once, where something waits and a lane is free. */
  #goOn(process: Process): void {
    if (!mayAsk(process)) return;
    process.turns += 1;
    process.isAsking = true;
    process.machine.ready.push(process);
  }

  #pauseUs({ pause }: Station, items: number): number {
    return pause && this.#random() < items / pause.afterItems ? pause.us : 0;
  }

  /** A factor around 1, lognormal: what the times of a process vary by. */
  #spread(): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.#random())) * Math.cos(2 * Math.PI * this.#random());
    return Math.exp(SIGMA * normal - SIGMA ** 2 / 2);
  }
}

function mayAsk({ waiting, turns, station, isAsking }: Process): boolean {
  return waiting.length > 0 && turns < station.lanes && !isAsking;
}

function itemOf(path: readonly string[], weight: number, done: Item['done']): Item {
  return { path, weight, done, position: 0 };
}

const SIGMA = 0.3;
