// A closed queueing network of processes that share a few cores, as discrete events.
import { EventQueue } from './event-queue.ts';

/**
 * A process with an event loop, or a server with several connections. When it gets a core it takes everything that waits, in one turn: so a
 * turn costs the same however much it takes, and each item something more.
 */
export interface Station {
  readonly name: string;
  /** Processor time of a turn, and of each item of it, in microseconds. */
  readonly turnUs: number;
  readonly itemUs: number;
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
  /** From one station to the next: the kernel wakes a process, in microseconds. */
  readonly wakeUs: number;
  /** All cores do something else so often, on average, and for so long on average, in microseconds. */
  readonly stalls?: { readonly everyUs: number; readonly us: number };
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
  /** Processor time for a request, in microseconds, by station. */
  readonly cpuUs: Readonly<Record<string, number>>;
}

/** The first part of the requests fills the queues, and is not counted. */
const WARM_UP_SHARE = 0.2;

interface Item {
  readonly path: readonly string[];
  readonly weight: number;
  readonly done: (now: number) => void;
  position: number;
}

interface Process {
  readonly station: Station;
  readonly machine: Machine;
  readonly waiting: Item[];
  /** Turns that wait for a core, run, or wait for their delay. */
  turns: number;
}

interface Machine {
  free: number;
  isStalled: boolean;
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
  readonly #stalls: Network['stalls'];
  readonly #machines: readonly Machine[];
  readonly #random: () => number;

  constructor({ cores, stations, wakeUs, stalls }: Network, random: () => number) {
    this.#wakeUs = wakeUs;
    this.#stalls = stalls;
    this.#random = random;
    const machines = new Map(
      Object.entries(cores).map(([name, free]): [string, Machine] => [
        name,
        { free, isStalled: false, ready: [] },
      ]),
    );
    this.#machines = [...machines.values()];
    for (const station of stations) {
      const machine = machines.get(station.machine ?? 'all');
      if (!machine) throw new Error(`${station.name} has no machine ${station.machine}`);
      const copies = Array.from({ length: station.copies ?? 1 }, () => ({
        station,
        machine,
        waiting: [],
        turns: 0,
      }));
      this.#processes.set(station.name, copies);
    }
  }

  run({ callers, requests, pathOf }: Load): Simulated {
    const times: number[] = [];
    const skipped = Math.floor(requests * WARM_UP_SHARE);
    let [sent, ended, startedAt, endedAt] = [0, 0, 0, 0];
    let cpuBefore = new Map<string, number>();
    const send = (now: number): void => {
      if (sent === requests) return;
      const { visits, afterwards, weights = { visits: 1, afterwards: 1 } } = pathOf(sent);
      if (sent === skipped) [startedAt, cpuBefore] = [now, new Map(this.#cpu)];
      const isCounted = sent >= skipped;
      sent += 1;
      const done = (then: number) => {
        if (isCounted) times.push(then - now);
        endedAt = then;
        ended += 1;
        this.#arrive(then, {
          path: afterwards,
          weight: weights.afterwards,
          position: 0,
          done: () => undefined,
        });
        send(then);
      };
      this.#events.add(now, (at) =>
        this.#arrive(at, { path: visits, weight: weights.visits, position: 0, done }),
      );
    };
    for (let caller = 0; caller < callers; caller += 1) send(0);
    this.#stall(0, this.#machines, () => ended === requests);
    this.#events.run();
    const used = (name: string) => (this.#cpu.get(name) ?? 0) - (cpuBefore.get(name) ?? 0);
    const cpuUs = Object.fromEntries(
      [...this.#processes.keys()].map((name) => [name, used(name) / times.length]),
    );
    return { perSecond: times.length / ((endedAt - startedAt) / 1e6), ...percentiles(times), cpuUs };
  }

  #arrive(now: number, item: Item): void {
    const name = item.path[item.position];
    if (name === undefined) return item.done(now);
    const copies = this.#processes.get(name);
    const process = copies?.[Math.floor(this.#random() * copies.length)];
    if (!process) throw new Error(`no station ${name}`);
    process.waiting.push(item);
    this.#offer(now, process);
  }

  /** A turn asks for a core where none asks for these items yet, and a lane is free. */
  #offer(now: number, process: Process): void {
    const { waiting, turns, station, machine } = process;
    if (waiting.length === 0 || turns >= station.lanes || machine.ready.includes(process)) return;
    process.turns += 1;
    machine.ready.push(process);
    this.#dispatch(now, machine);
  }

  #dispatch(now: number, machine: Machine): void {
    while (machine.free > 0 && !machine.isStalled) {
      const process = machine.ready.shift();
      if (!process) return;
      machine.free -= 1;
      this.#turn(now, process);
    }
  }

  #turn(now: number, process: Process): void {
    const { station, machine } = process;
    const items = process.waiting.splice(0, station.itemsMax ?? process.waiting.length);
    const heaviest = Math.max(...items.map(({ weight }) => weight));
    const workUs =
      heaviest * station.turnUs + items.reduce((sum, { weight }) => sum + weight * station.itemUs, 0);
    const usedUs = workUs * this.#spread() + this.#pauseUs(station, items.length);
    this.#cpu.set(station.name, (this.#cpu.get(station.name) ?? 0) + usedUs);
    this.#events.add(now + usedUs, (then) => {
      machine.free += 1;
      const delayUs = (station.delayUs ?? 0) * this.#spread();
      if (delayUs === 0) this.#end(then, process, items);
      else {
        this.#events.add(then + delayUs, (later) => this.#end(later, process, items));
        this.#offer(then, process);
      }
      this.#dispatch(then, machine);
    });
  }

  #end(now: number, process: Process, items: readonly Item[]): void {
    process.turns -= 1;
    for (const item of items) {
      item.position += 1;
      this.#events.add(now + this.#wakeUs, (then) => this.#arrive(then, item));
    }
    this.#offer(now, process);
  }

  #pauseUs({ pause }: Station, items: number): number {
    return pause && this.#random() < items / pause.afterItems ? pause.us : 0;
  }

  #stall(now: number, machines: readonly Machine[], isOver: () => boolean): void {
    const { everyUs, us } = this.#stalls ?? { everyUs: 0, us: 0 };
    if (us === 0) return;
    const exponential = (mean: number) => -mean * Math.log(1 - this.#random());
    this.#events.add(now + exponential(everyUs), (then) => {
      if (isOver()) return;
      for (const machine of machines) machine.isStalled = true;
      this.#events.add(then + exponential(us), (end) => {
        for (const machine of machines) {
          machine.isStalled = false;
          this.#dispatch(end, machine);
        }
        this.#stall(end, machines, isOver);
      });
    });
  }

  /** A factor around 1, lognormal: what the times of a process vary by. */
  #spread(): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.#random())) * Math.cos(2 * Math.PI * this.#random());
    return Math.exp(SIGMA * normal - SIGMA ** 2 / 2);
  }
}

const SIGMA = 0.3;

function percentiles(times: readonly number[]): { p50: number; p99: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN) / 1_000;
  return { p50: at(0.5), p99: at(0.99) };
}
