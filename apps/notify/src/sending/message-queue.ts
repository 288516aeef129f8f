import { setTimeout as delay } from 'node:timers/promises';
import { PeriodicJob } from '@vaultsvc/service';
import type { ClaimedMessage, ClaimFilter, MessageRepository } from '../messages/message.repository.js';

const POLL_MS = 15_000;

/**
 * Sends the due messages of one filter, several at a time. A single loop claims them, so that an idle queue costs two statements
 * in 15 seconds, however many messages it may send concurrently.
 */
export class MessageQueue {
  readonly #job: PeriodicJob;
  readonly #sending = new Set<Promise<void>>();
  #wakeSignal = new AbortController();
  #isStopping = false;

  /**
   * @param sendingMax messages that are sent concurrently
   * @param send never rejects: it records failures
   */
  constructor(
    name: string,
    private readonly messages: MessageRepository,
    private readonly filter: ClaimFilter,
    private readonly sendingMax: number,
    private readonly send: (message: ClaimedMessage) => Promise<void>,
  ) {
    this.#job = new PeriodicJob(name, () => this.#round());
  }

  start(): void {
    this.#job.start(0);
  }

  /** Ends the wait for the next message: one was queued, or there is room for another. */
  wake(): void {
    this.#wakeSignal.abort();
    this.#wakeSignal = new AbortController();
  }

  /** Waits for the messages that are being sent. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.wake();
    await this.#job.stop();
    await Promise.all(this.#sending);
  }

  async #round(): Promise<number> {
    const { signal } = this.#wakeSignal; // taken before the claim, so that a message queued after it ends the wait
    while (!this.#isStopping && this.#sending.size < this.sendingMax) {
      const message = await this.messages.claimDue(this.filter);
      if (!message) break;
      this.#begin(message);
    }
    if (!this.#isStopping) await delay(await this.#waitMs(), undefined, { signal }).catch(() => {}); // woken
    return 0;
  }

  #begin(message: ClaimedMessage): void {
    const sending = this.send(message).finally(() => {
      this.#sending.delete(sending);
      this.wake();
    });
    this.#sending.add(sending);
  }

  async #waitMs(): Promise<number> {
    if (this.#sending.size >= this.sendingMax) return POLL_MS;
    const dueMs = await this.messages.nextDueMs(this.filter);
    return Math.min(dueMs ?? POLL_MS, POLL_MS);
  }
}
