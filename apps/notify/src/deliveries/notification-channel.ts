import { setTimeout as delay } from 'node:timers/promises';
import type { Channel } from '../messages/channel.js';
import type { ClaimedMessage } from '../messages/message.repository.js';
import type { NotificationProvider } from '../providers/provider.js';
import type { DeliveryResult } from './delivery-result.js';
import type { NotificationSender } from './notification-sender.js';

/** The queue of one channel of notifications, at the rate of its provider. */
export class NotificationChannel implements Channel {
  readonly name;
  readonly concurrency;
  #freeAtMs = 0;

  constructor(
    private readonly provider: NotificationProvider,
    private readonly sender: NotificationSender,
  ) {
    this.name = provider.channel;
    this.concurrency = provider.concurrency;
  }

  missingSettings(): string[] {
    return this.provider.missingSettings();
  }

  async deliver({ id }: ClaimedMessage): Promise<DeliveryResult> {
    await this.#waitForTurn();
    return this.sender.deliver(id, this.provider);
  }

  /** Spaces the messages of this instance evenly. */
  async #waitForTurn(): Promise<void> {
    const now = performance.now();
    const startMs = Math.max(now, this.#freeAtMs);
    this.#freeAtMs = startMs + 1_000 / this.provider.ratePerSecond;
    if (startMs > now) await delay(startMs - now);
  }
}
