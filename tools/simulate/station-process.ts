// Processes of a simulated network, and the machines whose cores they wait for.
import type { EventQueue } from './event-queue.ts';
import type { Network, Station } from './network.ts';

/** A request, or the event that it leaves, on its way. */
export interface Item {
  readonly path: readonly string[];
  /** @returns what follows at once */
  readonly done: (now: number) => readonly Item[];
  position: number;
}

/** Its processes wait for a core in the order in which they asked for it. */
export class Machine {
  #free: number;
  readonly #waiting: StationProcess[] = [];

  constructor(cores: number) {
    this.#free = cores;
  }

  request(now: number, process: StationProcess): void {
    this.#waiting.push(process);
    this.#dispatch(now);
  }

  release(now: number): void {
    this.#free += 1;
    this.#dispatch(now);
  }

  #dispatch(now: number): void {
    while (this.#free > 0) {
      const process = this.#waiting.shift();
      if (!process) return;
      this.#free -= 1;
      process.run(now);
    }
  }
}

/** Shared by the processes of a simulation. */
export interface Surroundings extends Pick<Network, 'wakeUs'> {
  readonly events: EventQueue;
  /** From 0 to 1, exclusive. */
  readonly random: () => number;
  readonly deferredShare: number;
  /** Items that leave a process together. */
  readonly pass: (now: number, items: readonly Item[]) => void;
}

export class StationProcess {
  readonly #station: Station;
  readonly #machine: Machine;
  readonly #surroundings: Surroundings;
  readonly #waiting: Item[] = [];
  /** Batches that wait until the process is awake, wait for a core, run, or wait for their delay. */
  #batches = 0;
  /** Whether one of them has not begun, and will take what waits. */
  #isRequested = false;
  /** Processor time in microseconds. */
  usedUs = 0;

  constructor(station: Station, machine: Machine, surroundings: Surroundings) {
    this.#station = station;
    this.#machine = machine;
    this.#surroundings = surroundings;
  }

  add(item: Item): void {
    this.#waiting.push(item);
  }

  /** After items were added. A process that slept is woken first; what arrives meanwhile is taken with the rest. */
  offer(now: number): void {
    const isAsleep = this.#batches === 0;
    this.#request(now + (isAsleep ? this.#surroundings.wakeUs : 0));
  }

  /** Asks for a core, then, for what waits, unless a batch that has not begun will take it. */
  #request(at: number): void {
    if (this.#waiting.length === 0 || this.#isRequested || this.#batches === this.#station.concurrency)
      return;
    this.#batches += 1;
    this.#isRequested = true;
    this.#surroundings.events.add(at, (now) => this.#machine.request(now, this));
  }

  /** Begins a batch, on a core that it keeps until its work is done. */
  run(now: number): void {
    const { events, deferredShare, pass } = this.#surroundings;
    const { batchUs, itemUs, itemsMax, delayUs = 0 } = this.#station;
    const items = this.#waiting.splice(0, itemsMax ?? this.#waiting.length);
    this.#isRequested = false;
    const factor = this.#spread();
    const workUs = factor * (batchUs + items.length * itemUs);
    const pauseUs = this.#pauseUs(items.length);
    const leftAt = now + pauseUs + (1 - deferredShare) * workUs;
    if (delayUs > 0) {
      events.add(leftAt + delayUs * this.#spread(), (then) => {
        pass(then, items);
        this.#end(then);
      });
    } else this.#passEach(leftAt, items, (1 - deferredShare) * factor * itemUs);
    this.usedUs += pauseUs + workUs;
    events.add(now + pauseUs + workUs, (then) => {
      this.#machine.release(then);
      if (delayUs === 0) this.#end(then);
    });
    this.#request(now);
  }

  /** Each item leaves when it is done, while the batch goes on. */
  #passEach(leftAt: number, items: readonly Item[], itemUs: number): void {
    const { events, pass } = this.#surroundings;
    for (const [index, item] of items.entries())
      events.add(leftAt - (items.length - 1 - index) * itemUs, (then) => pass(then, [item]));
  }

  /** A process that has something left to do does not sleep. */
  #end(now: number): void {
    this.#batches -= 1;
    this.#request(now);
  }

  #pauseUs(items: number): number {
    const { pause } = this.#station;
    return pause && this.#surroundings.random() < items / pause.afterItems ? pause.us : 0;
  }

  /** A factor around 1, lognormal: what the times of a process vary by. */
  #spread(): number {
    const { random } = this.#surroundings;
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.exp(SIGMA * normal - SIGMA ** 2 / 2);
  }
}

const SIGMA = 0.3;
