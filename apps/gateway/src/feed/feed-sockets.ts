import { clearInterval, setInterval, setTimeout } from 'node:timers';
import { Injectable } from '@nestjs/common';
import { LimitReached, nextSecond } from '@vaultsvc/contracts';
import { feedGrown, type FeedEntries } from '@vaultsvc/contracts/notify';
import { Signals } from '@vaultsvc/messaging';
import { Gauge } from 'prom-client';
import type { WebSocket } from 'ws';
import { GatewayConfig } from '../config.js';
import { FeedReader, type FeedOwner } from './feed-reader.js';
import { FeedSocket } from './feed-socket.js';

/** How long clients may take to answer the close of their socket when the instance stops. */
const CLOSE_MS = 2_000;

const openSockets = new Gauge({
  name: 'vaultsvc_feed_sockets',
  help: 'Open sockets of the live feed, without those that are being upgraded.',
});

/** The sockets of the live feed at this instance. The clients of one account share one subscription at NATS. */
@Injectable()
export class FeedSockets {
  readonly #open = new Set<FeedSocket>();
  /** Sockets by account, including those that are being upgraded. */
  readonly #counts = new Map<string, number>();
  readonly #pings: NodeJS.Timeout;
  #isClosing = false;

  constructor(
    private readonly config: GatewayConfig,
    private readonly signals: Signals,
    private readonly reader: FeedReader,
  ) {
    this.#pings = setInterval(() => this.#pingAll(), config.FEED_PING_SECONDS * 1_000).unref();
  }

  /** Reserves a socket of the account until the returned function is called. @throws FEED_SOCKETS_EXHAUSTED (429) */
  reserve(accountId: string): () => void {
    const used = this.#counts.get(accountId) ?? 0;
    const limit = this.config.FEED_SOCKETS_PER_ACCOUNT;
    if (used >= limit)
      throw new LimitReached('FEED_SOCKETS_EXHAUSTED', { limit, used, resets_at: nextSecond() });
    this.#counts.set(accountId, used + 1);
    return () => {
      const left = (this.#counts.get(accountId) ?? 1) - 1;
      if (left === 0) this.#counts.delete(accountId);
      else this.#counts.set(accountId, left);
    };
  }

  /** Serves an upgraded socket until it closes. `page`: the entries that follow `after`. */
  serve(socket: WebSocket, owner: FeedOwner, after: number, page: FeedEntries): void {
    const feed = new FeedSocket(socket, owner, this.reader, this.config.FEED_POLL_SECONDS * 1_000);
    const stopListening = this.signals.listen(feedGrown, owner.accountId, () => feed.wake());
    this.#open.add(feed);
    openSockets.inc();
    socket.once('close', () => {
      stopListening();
      this.#open.delete(feed);
      openSockets.dec();
    });
    if (this.#isClosing) return feed.leave();
    void feed.run(after, page);
  }

  /** Closes all sockets with 1001. Clients that do not answer within 2 s are cut. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#pings);
    for (const feed of this.#open) feed.leave();
    setTimeout(() => this.#terminateAll(), CLOSE_MS).unref();
  }

  #pingAll(): void {
    for (const feed of this.#open) feed.ping();
  }

  #terminateAll(): void {
    for (const feed of this.#open) feed.terminate();
  }
}
