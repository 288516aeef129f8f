import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { isFromReplica, PrimaryUnknown } from './primary-lookup.js';
import type { ConnectionEvents, RedisReply, RedisServers, Replication } from './redis-servers.js';
import { ReplicatedWrites, type Commands } from './replicated-writes.js';

/** A frozen Redis keeps its sockets open, so a connection without replies to pings is replaced. */
const PING_INTERVAL_MS = 1_000;
const SILENCE_MS = 3_000;
const CONNECT_MS = 1_000;
/** Bounds the memory of pending commands while Redis is silent. */
const QUEUE_MAX = 10_000;
const FIRST_DELAY_MS = 50;
const DELAY_MS_MAX = 1_000;

type Client = ReturnType<typeof clientOf>;

/**
 * A client of one Redis server at a time: that of REDIS_URL, a master of a cluster or, with Sentinels, the primary that they name at each
 * connection. It reconnects until it is destroyed. Not the Sentinel client of the library: while the primary is down, that one holds
 * commands back and asks the Sentinels in a loop for each of them.
 */
export class RedisClient implements RedisServers {
  readonly members = [this];
  /** Resolves with the first connection, or when that has taken as long as an answer may. */
  firstConnection: Promise<void> = Promise.resolve();
  readonly #replicated = new ReplicatedWrites((commands) => this.sendAll(commands));
  #client: Client | undefined;
  #isDestroyed = false;

  /**
   * @param urlOf the URL of the server, asked for at each connection
   * @param answerMs how long a command waits for its answer
   */
  constructor(
    private readonly urlOf: () => Promise<string>,
    private readonly answerMs: number,
    private readonly events: ConnectionEvents,
  ) {}

  /** Whether the connection is ready for commands. */
  get isReady(): boolean {
    return this.#client?.isReady ?? false;
  }

  /** Begins to connect, and resolves with the first connection; if Redis is down, perhaps never. */
  connect(): Promise<void> {
    const connected = new Promise<void>((resolve) => void this.#stayConnected(resolve));
    this.firstConnection = Promise.race([connected, delay(this.answerMs, undefined, { ref: false })]);
    return connected;
  }

  /** Runs one command; rejects at once while there is no connection. */
  send(parts: string[]): Promise<RedisReply> {
    if (!this.#client) return Promise.reject(new Error('not connected'));
    return this.#client.sendCommand<RedisReply>(parts);
  }

  /** Runs commands with none of another caller between them; the reply is that of the last one. */
  async sendAll(commands: Commands): Promise<RedisReply> {
    const replies = await Promise.all(commands.map((parts) => this.send(parts)));
    return replies.at(-1) ?? null;
  }

  sendReplicated(parts: string[], _key: string, replication: Replication): Promise<RedisReply> {
    return this.writeAll([parts], replication);
  }

  /** As `sendAll`, for writes that replicas must have, too. */
  writeAll(commands: Commands, replication: Replication): Promise<RedisReply> {
    return this.#replicated.write(commands, replication);
  }

  /** The refusal of a server that is no primary any more ends the connection to it, after which the primary is looked up again. */
  failed(error: unknown): void {
    if (isFromReplica(error)) this.#disconnect();
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#disconnect();
  }

  #disconnect(): void {
    if (this.#client?.isOpen) this.#client.destroy();
  }

  async #stayConnected(onFirst: () => void): Promise<void> {
    for (let delayMs = FIRST_DELAY_MS; !this.#isDestroyed; delayMs = Math.min(2 * delayMs, DELAY_MS_MAX)) {
      const hasConnected = await this.#connection(onFirst);
      if (hasConnected) delayMs = FIRST_DELAY_MS;
      if (hasConnected && !this.#isDestroyed) this.events.lost?.();
      await delay(delayMs, undefined, { ref: false });
    }
  }

  /** Connects, and resolves when the connection has ended; with false if there was none. */
  async #connection(onReady: () => void): Promise<boolean> {
    try {
      const client = clientOf(await this.urlOf(), this.answerMs);
      if (this.#isDestroyed) return false;
      this.#client = client;
      client.on('error', (error: unknown) => this.events.warn('connection', error));
      const ended = new Promise<void>((resolve) => client.once('terminated', resolve).once('end', resolve));
      await client.connect();
      onReady();
      await ended;
      return true;
    } catch (error) {
      if (error instanceof PrimaryUnknown) this.events.warn('not connected', error); // the client has reported others
      return false;
    }
  }
}

/** Its copies share its class. The library would make one for each address, with all commands of Redis, in 30 to 80 ms. */
const model = createClient({
  disableOfflineQueue: true,
  commandsQueueMaxLength: QUEUE_MAX,
  // CommandTimeout replaces the client's own timeout, which allocates an abort signal and a timer per command.
  commandOptions: { timeout: 0 },
  pingInterval: PING_INTERVAL_MS,
  // Without commands that the user of a service may not run, whose refusals would fill Redis' log of them.
  disableClientInfo: true,
  maintNotifications: 'disabled',
});

/** @param answerMs how long a command waits for its answer: its connection is as patient */
function clientOf(url: string, answerMs: number) {
  const connectTimeout = Math.max(CONNECT_MS, answerMs);
  const socketTimeout = Math.max(SILENCE_MS, answerMs + PING_INTERVAL_MS);
  return model.duplicate({ url, socket: { connectTimeout, socketTimeout, reconnectStrategy: false } });
}
