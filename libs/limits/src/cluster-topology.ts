import { setTimeout as delay } from 'node:timers/promises';
import { CommandTimeout } from './command-timeout.js';
import { askOnce } from './one-command.js';
import { RedisClient } from './redis-client.js';
import type { ConnectionEvents, RedisReply } from './redis-servers.js';
import { addressIn, hostIn, urlAt } from './server-address.js';
import { slotMapIn, type Redirection, type SlotMap } from './slot-map.js';

/** The least time between two readings of the map; while a master is missing it is read so often. */
const REFRESH_MS = 250;
/** A redirection leads to a node before the map of another node names it. */
const REDIRECTED_MS = 10_000;
const READ_SLOTS = ['CLUSTER', 'SLOTS'];

/** The masters of a cluster, a client of each, and their slots. The map is read again until each slot has a master that is connected. */
export class ClusterTopology {
  readonly #clients = new Map<string, RedisClient>();
  readonly #redirectedAtMs = new Map<string, number>();
  readonly #timeout: CommandTimeout;
  #slots: (string | undefined)[] = [];
  #masters: ReadonlySet<string> = new Set();
  #isWhole = false;
  #isStale = false;
  #isRefreshing = false;
  #isDestroyed = false;
  #onReady: () => void = () => undefined;

  /**
   * @param url of one node, with user and password of all
   * @param nodes further ones, as `host:port`
   * @param answerMs how long a node has for its answer
   */
  constructor(
    private readonly url: string,
    private readonly nodes: readonly string[],
    private readonly answerMs: number,
    private readonly warn: ConnectionEvents['warn'],
  ) {
    this.#timeout = new CommandTimeout(answerMs);
  }

  /** Whether each slot has a master that is connected. */
  get isReady(): boolean {
    return this.#isWhole && this.masters.every(({ isReady }) => isReady);
  }

  /** The clients of the masters that have slots. */
  get masters(): readonly RedisClient[] {
    return [...this.#masters].map((address) => this.clientAt(address));
  }

  /** Begins to connect, and resolves when the topology is ready for the first time; perhaps never. */
  connect(): Promise<void> {
    return new Promise((resolve) => {
      this.#onReady = resolve;
      this.refresh();
    });
  }

  /** The address of the master of a slot; undefined while none is known. */
  masterOf(slot: number): string | undefined {
    return this.#slots[slot];
  }

  /** The client of a node, which begins to connect if it is new. */
  clientAt(address: string): RedisClient {
    return this.#clients.get(address) ?? this.#add(address);
  }

  /** A node has redirected a command. A slot that has moved is probably not alone, so the map is read again. */
  redirected(slot: number, { kind, address }: Redirection): void {
    this.#redirectedAtMs.set(address, performance.now());
    if (kind === 'ASK') return;
    this.#slots[slot] = address;
    this.refresh();
  }

  /** Reads the map, at once or after the reading that is under way. */
  refresh(): void {
    this.#isStale = true;
    if (!this.#isRefreshing) void this.#refreshUntilReady();
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#timeout.stop();
    for (const client of this.#clients.values()) client.destroy();
  }

  async #refreshUntilReady(): Promise<void> {
    this.#isRefreshing = true;
    while (!this.#isDestroyed && (this.#isStale || !this.isReady)) {
      this.#isStale = false;
      this.#apply(await this.#read());
      await delay(REFRESH_MS, undefined, { ref: false });
    }
    this.#isRefreshing = false;
  }

  /** The map of the first node that answers; undefined if none does. */
  async #read(): Promise<SlotMap | undefined> {
    const failures: unknown[] = [];
    for (const [address, ask] of this.#nodesToAsk())
      try {
        const slots = slotMapIn(await ask(), hostIn(address));
        if (slots.some((master) => master !== undefined)) return slots;
        failures.push(new Error(`${address} knows no slots`));
      } catch (error) {
        failures.push(error);
      }
    this.warn('no node of the cluster named its slots', new AggregateError(failures));
    return undefined;
  }

  /** A node that is cut off answers with an old map, so each reading begins with another one. */
  #nodesToAsk(): (readonly [address: string, ask: () => Promise<RedisReply>])[] {
    const connected = [...this.#clients].filter(([, { isReady }]) => isReady);
    const first = Math.floor(Math.random() * connected.length);
    const known = [...connected.slice(first), ...connected.slice(0, first)];
    return [
      ...known.map(([address, node]) => [address, () => this.#timeout.apply(node.send(READ_SLOTS))] as const),
      ...[addressIn(this.url), ...this.nodes].map(
        (address) => [address, () => askOnce<RedisReply>(urlAt(this.url, address), READ_SLOTS)] as const,
      ),
    ];
  }

  #apply(slots: SlotMap | undefined): void {
    if (!slots || this.#isDestroyed) return;
    this.#slots = [...slots];
    this.#isWhole = !slots.includes(undefined);
    this.#masters = new Set(slots.filter((master) => master !== undefined));
    for (const address of this.#masters) this.clientAt(address);
    for (const [address, client] of this.#clients) {
      if (this.#masters.has(address) || this.#wasRedirectedTo(address)) continue;
      this.#clients.delete(address);
      client.destroy();
    }
  }

  #wasRedirectedTo(address: string): boolean {
    return performance.now() - (this.#redirectedAtMs.get(address) ?? -Infinity) < REDIRECTED_MS;
  }

  #add(address: string): RedisClient {
    if (this.#isDestroyed) throw new Error('closed');
    const events = { warn: this.warn, lost: () => this.refresh() };
    const client = new RedisClient(() => Promise.resolve(urlAt(this.url, address)), this.answerMs, events);
    this.#clients.set(address, client);
    void client.connect().then(() => {
      if (this.isReady) this.#onReady();
    });
    return client;
  }
}
