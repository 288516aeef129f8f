// A closed queueing network of processes that share a few cores: what it consists of.

/**
 * A process with an event loop, or a server with several connections. When it gets a core it takes what waits, in one batch: so a batch
 * costs the same however many items it has, and each item something more.
 */
export interface Station {
  readonly name: string;
  /** Processor time of a batch, and of each item of it, in microseconds. */
  readonly batchUs: number;
  readonly itemUs: number;
  /** Batches under way at once: one for an event loop, the number of connections for PostgreSQL. */
  readonly concurrency: number;
  /** Items that a batch has at most. */
  readonly itemsMax?: number;
  /** Time that a batch goes on without a core, such as that of a commit, in microseconds; its items leave together after it. */
  readonly delayUs?: number;
  /** A collection of the heap after so many items, and how long it takes, in microseconds. */
  readonly pause?: { readonly afterItems: number; readonly us: number };
  /** Processes of the same kind; an item goes to one of them by chance. */
  readonly copies?: number;
  /** The machine whose cores it uses: `all`. */
  readonly machine?: string;
}

/** The stations that a request visits in turn, and those that its events visit after the reply. */
export interface Path {
  readonly visits: readonly string[];
  readonly afterwards: readonly string[];
}

export interface Network {
  /** Cores of each machine. */
  readonly cores: Readonly<Record<string, number>>;
  readonly stations: readonly Station[];
  /** Until a process that sleeps is awake, in microseconds. */
  readonly wakeUs: number;
  /** The part of its work that a process does after it has passed on its items, such as writing logs: 0 to 1. */
  readonly deferredShare?: number;
  /** How much the speed of the machines varies (speed-mixture.ts). */
  readonly sigma?: number;
}
