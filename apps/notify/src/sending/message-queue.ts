import { setTimeout as delay } from 'node:timers/promises';
import { PeriodicJob } from '@vaultsvc/service';
import { priorities, type DueMessageRepository } from '../messages/due-message.repository.js';
import type { ClaimedMessage } from '../messages/message.repository.js';
import type { Channel } from './channel.js';
import { ClassQueue } from './class-queue.js';
import { SendRate } from './send-rate.js';

const POLL_MS = 15_000;

/**
 * Sends the due messages of one channel, several at a time: codes first, then other messages about links, invitations and
 * domains, then notifications. Each priority leaves a place to the one above it. A single loop claims them, so that an idle queue
 * costs a few statements in 15 seconds.
 */
export class MessageQueue {
  readonly #job: PeriodicJob;
  readonly #sending = new Set<Promise<void>>();
  readonly #classes: readonly ClassQueue[];
  readonly #rate: SendRate;
  #wakeSignal = new AbortController();
  #isStopping = false;

  /** @param send never rejects: it records failures. Resolves to whether the provider answered, if it was asked. */
  constructor(
    private readonly channel: Channel,
    private readonly messages: DueMessageRepository,
    private readonly send: (message: ClaimedMessage) => Promise<boolean | undefined>,
  ) {
    const { name, concurrency } = channel;
    this.#job = new PeriodicJob(`send-${name}`, () => this.#round());
    this.#rate = new SendRate(channel.ratePerSecond);
    this.#classes = prioritiesOf(channel).map(
      (priority, index) =>
        new ClassQueue(messages, { channel: name, priority }, Math.max(1, concurrency - index)),
    );
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
    const { signal } = this.#wakeSignal; // taken before the claims, so that a message queued after them ends the wait
    const nextMs = this.#isFull ? undefined : await this.messages.nextDueMs(this.channel.name); // before the claims, likewise
    const dueAtMs = performance.now() + (nextMs ?? POLL_MS);
    while (!this.#isStopping && !this.#isFull && (await this.#claim()));
    const waitMs = Math.min(dueAtMs - performance.now(), POLL_MS, this.#rate.waitMs || POLL_MS);
    if (!this.#isStopping) await delay(Math.max(0, waitMs), undefined, { signal }).catch(() => {}); // woken
    return 0;
  }

  get #isFull(): boolean {
    return this.#sending.size >= this.channel.concurrency;
  }

  /** Begins the next message that has a place. False: there is none. */
  async #claim(): Promise<boolean> {
    for (const one of this.#classes) {
      const isLimited = one.priority === priorities.notification;
      if (one.isFull || (isLimited && this.#rate.waitMs > 0)) continue;
      const message = await one.claim();
      if (!message) continue;
      if (isLimited) this.#rate.use();
      this.#begin(one, message);
      return true;
    }
    return false;
  }

  #begin(from: ClassQueue, message: ClaimedMessage): void {
    const sending = this.send(message).then((isAnswered) => {
      from.end(message, isAnswered);
      this.#sending.delete(sending);
      this.wake();
    });
    this.#sending.add(sending);
  }
}

/** Texts about links have a queue of their own; other channels than mail carry notifications alone. */
function prioritiesOf({ name }: Channel) {
  const { code, personal, notification } = priorities;
  if (name === 'email') return [code, personal, notification];
  return name === 'phone' ? [code, personal] : [notification];
}
