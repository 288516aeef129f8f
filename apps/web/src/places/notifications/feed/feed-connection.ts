import { entryOf, feedStore, receive } from './feed-store.js';

export type FeedState = 'connecting' | 'live' | 'waiting';

interface FeedSource {
  readonly origin: string;
  readonly accessToken: () => Promise<string | undefined>;
}

/** The subprotocol that the gateway selects; the other one carries the token, as a page cannot send headers. */
const PROTOCOL = 'vaultsvc.v1';
const WAIT_MS = 1_000;
const WAIT_MS_MAX = 30_000;

/**
 * Keeps a socket of the live feed open until it is stopped: it continues after the last entry, and waits longer after each
 * attempt that failed. A refusal has no reason that a page can read, so the caller reads something else meanwhile, which
 * renews the session.
 */
export class FeedConnection {
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wait = WAIT_MS;
  #isStopped = false;

  constructor(
    private readonly source: FeedSource,
    private readonly onState: (state: FeedState) => void,
  ) {}

  start(): void {
    addEventListener('online', this.reconnect);
    void this.#connect();
  }

  stop(): void {
    this.#isStopped = true;
    removeEventListener('online', this.reconnect);
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  /** Ends a wait. */
  readonly reconnect = (): void => {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wait = WAIT_MS;
    void this.#connect();
  };

  async #connect(): Promise<void> {
    this.#timer = undefined;
    const token = await this.source.accessToken().catch(() => undefined);
    if (this.#isStopped) return;
    if (token === undefined) return this.#later();
    const { last } = feedStore.get();
    const url = `${this.source.origin.replace(/^http/u, 'ws')}/v1/products/notify/socket?after=${last}`;
    const socket = new WebSocket(url, [PROTOCOL, `bearer.${token}`]);
    this.#socket = socket;
    socket.addEventListener('open', () => {
      this.#wait = WAIT_MS;
      this.#say('live');
    });
    socket.addEventListener('message', ({ data }) => {
      const entry = entryOf(data);
      if (entry) receive(entry);
    });
    socket.addEventListener('close', () => this.#later());
  }

  #later(): void {
    if (this.#isStopped) return;
    this.#say('waiting');
    this.#timer = setTimeout(() => void this.#connect(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, WAIT_MS_MAX);
  }

  #say(state: FeedState): void {
    if (!this.#isStopped) this.onState(state);
  }
}
