import { once } from 'node:events';
import { FEED_SOCKET_PATH, type FeedEntry } from '@vaultsvc/contracts/notify';
import { eventually } from '@vaultsvc/testing/waiting';
import { WebSocket, type ClientOptions } from 'ws';

/** How a client opens a socket. */
export interface FeedOptions extends ClientOptions {
  readonly after?: number;
  readonly protocols?: readonly string[];
  /** Drops the connection once it has received so many entries, and ignores what arrives after them. */
  readonly cutAfter?: number;
}

/** A client of the live feed that records the entries that it receives. */
export class FeedClient {
  readonly entries: FeedEntry[] = [];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;

  private constructor(
    private readonly socket: WebSocket,
    { cutAfter = Infinity }: FeedOptions,
  ) {
    socket.on('message', (data: Buffer) => {
      if (this.entries.length >= cutAfter) return;
      this.entries.push(JSON.parse(data.toString()) as FeedEntry);
      if (this.entries.length >= cutAfter) socket.terminate();
    });
    this.closed = new Promise((resolve) =>
      socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    );
  }

  /** Resolves once the socket is open; rejects when it is refused. */
  static async open(origin: string, key: string | undefined, options: FeedOptions = {}): Promise<FeedClient> {
    const { after, protocols = [], headers, ...others } = options;
    const url = `${origin.replace('http', 'ws')}${FEED_SOCKET_PATH}${after === undefined ? '' : `?after=${after}`}`;
    const own: Record<string, string> = key === undefined ? {} : { 'X-API-Key': key };
    const socket = new WebSocket(url, [...protocols], { ...others, headers: { ...own, ...headers } });
    const client = new FeedClient(socket, options);
    await once(socket, 'open');
    return client;
  }

  get protocol(): string {
    return this.socket.protocol;
  }

  get positions(): number[] {
    return this.entries.map(({ position }) => position);
  }

  /** Waits for so many entries, of all that this client receives. */
  received(count: number): Promise<FeedEntry[]> {
    return eventually(
      () => this.entries,
      ({ length }) => length >= count,
    );
  }

  say(text: string): void {
    this.socket.send(text);
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }
}
