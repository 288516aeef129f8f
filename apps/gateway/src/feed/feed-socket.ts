import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { FeedEntries } from '@vaultsvc/contracts/notify';
import type { WebSocket } from 'ws';
import type { FeedOwner, FeedReader } from './feed-reader.js';

/** Close codes: those below 4000 are of RFC 6455, 7.4.1. */
const GOING_AWAY = 1_001;
const POLICY_VIOLATION = 1_008;
/** The credential has been revoked or has expired. A client needs another one before it reconnects. */
export const CREDENTIAL_ENDED = 4_401;

/** A socket that has not sent more bytes than these yet reads no further entries. */
const BUFFERED_BYTES_MAX = 64 * 1_024;
const BUFFER_CHECK_MS = 100;

/**
 * Sends the entries of an account's feed over one socket, in their order and each once: it reads after the last position that it
 * has sent. A client that reconnects with `after` of the last entry that it has received misses and repeats none (NTF-44).
 */
export class FeedSocket {
  readonly #logger = new Logger('feed');
  #wakeSignal = new AbortController();
  #answersPing = true;

  constructor(
    private readonly socket: WebSocket,
    readonly owner: FeedOwner,
    private readonly reader: FeedReader,
    private readonly pollMs: number,
  ) {
    socket.on('pong', () => (this.#answersPing = true));
    socket.on('message', () => socket.close(POLICY_VIOLATION, 'This socket accepts no messages.'));
    // A reset connection, or a frame that breaks the protocol. `close` follows.
    socket.on('error', (error) => this.#logger.debug({ msg: 'socket failed', ...this.#about(), err: error }));
    socket.once('close', () => this.wake());
  }

  /**
   * Sends `page`, which follows `after`, and all later entries. It reads again at once: the page may be older than the
   * subscription. Resolves once the socket is closing; never rejects.
   */
  async run(after: number, page: FeedEntries): Promise<void> {
    let position = await this.#send(page, after);
    while (this.#isOpen()) {
      const { signal } = this.#wakeSignal; // taken before the read, so that an entry appended after it ends the wait
      const next = await this.#read(position);
      if (next === 'ended') return this.socket.close(CREDENTIAL_ENDED, 'The credential is no longer valid.');
      if (next) position = await this.#send(next, position);
      if (next?.has_more) continue;
      await delay(this.pollMs, undefined, { signal }).catch(() => {}); // woken
    }
  }

  /** Ends the wait for new entries. */
  wake(): void {
    this.#wakeSignal.abort();
    this.#wakeSignal = new AbortController();
  }

  /** Pings the client, or cuts the connection when it has not answered the previous ping. */
  ping(): void {
    if (!this.#answersPing) return this.socket.terminate();
    this.#answersPing = false;
    this.socket.ping();
  }

  /** The instance stops: the client connects to another one. */
  leave(): void {
    this.socket.close(GOING_AWAY, 'This instance stops. Connect again.');
  }

  terminate(): void {
    this.socket.terminate();
  }

  /** undefined when it failed: nothing is sent, and the next round tries again. */
  async #read(position: number): Promise<FeedEntries | 'ended' | undefined> {
    try {
      return (await this.reader.readIfAllowed(this.owner, position)) ?? 'ended';
    } catch (error) {
      this.#logger.warn({ msg: 'feed could not be read', ...this.#about(), err: error });
      return undefined;
    }
  }

  /** Returns the position of the last entry that was sent. */
  async #send({ entries }: FeedEntries, position: number): Promise<number> {
    let last = position;
    for (const entry of entries) {
      await this.#drained();
      if (!this.#isOpen()) break;
      this.socket.send(JSON.stringify(entry));
      last = entry.position;
    }
    return last;
  }

  /** Waits while a slow client has unsent bytes; one that stops reading answers no ping and is cut. */
  async #drained(): Promise<void> {
    while (this.#isOpen() && this.socket.bufferedAmount > BUFFERED_BYTES_MAX) await delay(BUFFER_CHECK_MS);
  }

  #isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  #about(): object {
    const { accountId, requestId } = this.owner;
    return { accountId, requestId };
  }
}
