import { setTimeout as delay } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { Counter } from 'prom-client';
import { DueMessageRepository } from '../messages/due-message.repository.js';
import { MessageRepository, type ClaimedMessage, type Outcome } from '../messages/message.repository.js';
import { MessageWaker } from '../messages/message-waker.js';
import { DeliveryFailure } from '../outbound/delivery-failure.js';
import type { DeliveryResult } from '../outbound/delivery-result.js';
import { ChannelRegistry } from './channel-registry.js';
import type { Channel } from './channel.js';
import { MessageQueue } from './message-queue.js';
import { MessageSender } from './message-sender.js';

const CLOSE_RETRY_MS = 250;

const messagesTotal = new Counter({
  name: 'vaultsvc_messages_total',
  help: 'Closed messages by channel, kind and outcome: sent, obsolete (its subject has ended), refused, expired, unconfirmed (replies were lost), unconfigured.',
  labelNames: ['channel', 'kind', 'outcome'],
});

/**
 * Sends queued messages, a queue for each channel. All instances send, and claim each message first. A failed message is retried after
 * 5 s, then after twice the previous delay up to 15 min, for 24 hours (codes: up to 15 s, for 15 min). A permanently rejected
 * message is not retried.
 */
@Injectable()
export class SendMessages implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('messages');
  readonly #queues: MessageQueue[] = [];
  #isStopping = false;

  constructor(
    private readonly messages: MessageRepository,
    private readonly dueMessages: DueMessageRepository,
    private readonly registry: ChannelRegistry,
    private readonly sender: MessageSender,
    private readonly waker: MessageWaker,
  ) {}

  onApplicationBootstrap(): void {
    for (const channel of this.registry.channels) {
      const settings = channel.missingSettings();
      if (settings.length === 0) this.#start(channel);
      else
        this.#logger.warn({
          msg: `${channel.name} messages are queued until these settings are set`,
          settings,
        });
    }
    this.waker.onWake(() => this.#queues.forEach((queue) => queue.wake()));
  }

  /** Waits for the messages that are being sent. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#queues.map((queue) => queue.stop()));
  }

  #start(channel: Channel): void {
    const queue = new MessageQueue(channel, this.dueMessages, (message) => this.#send(message));
    this.#queues.push(queue);
    queue.start();
  }

  /**
   * Never rejects. If not even a failure can be stored, the message is claimed again after its lease. Resolves to whether the
   * provider answered, if it was asked.
   */
  async #send(message: ClaimedMessage): Promise<boolean | undefined> {
    try {
      const result = await this.sender.deliver(message);
      await this.#conclude(message, result);
      return result.kind === 'sent' ? true : undefined;
    } catch (error) {
      await this.#failed(message, error).catch((second: unknown) =>
        this.#logger.error({
          msg: 'failure of a message could not be stored',
          ...logFields(message),
          err: second,
        }),
      );
      return error instanceof DeliveryFailure ? !error.isUnanswered : undefined;
    }
  }

  async #conclude(message: ClaimedMessage, result: DeliveryResult): Promise<void> {
    if (result.kind === 'postponed') return this.#postpone(message, result);
    const outcome = result.kind === 'unreachable' ? 'refused' : result.kind;
    const reason = 'reason' in result ? (result.reason ?? null) : null;
    const providerId = result.kind === 'sent' ? (result.providerId ?? null) : null;
    await this.#closeWithRetry(message, outcome, reason, providerId);
  }

  async #postpone(
    message: ClaimedMessage,
    { seconds, isAccountWide }: Extract<DeliveryResult, { kind: 'postponed' }>,
  ): Promise<void> {
    await this.messages.postpone(message, seconds);
    if (isAccountWide) await this.dueMessages.postponeAccount(message.channel, message.account_id, seconds);
  }

  /** While PostgreSQL is down no other instance can claim the message; the outcome must be stored before one can. */
  async #closeWithRetry(
    message: ClaimedMessage,
    outcome: Outcome,
    reason: string | null,
    providerId: string | null,
  ): Promise<void> {
    for (;;) {
      try {
        await this.messages.close(message, outcome, reason, providerId);
        break;
      } catch (error) {
        const about = { ...logFields(message), outcome, err: error };
        this.#logger.error({ msg: 'outcome of a message could not be stored', ...about });
      }
      if (this.#isStopping) return;
      await delay(CLOSE_RETRY_MS);
    }
    messagesTotal.inc({ channel: message.channel, kind: message.kind, outcome });
    this.#logger.log({ msg: 'message closed', ...logFields(message), outcome });
  }

  async #failed(message: ClaimedMessage, error: unknown): Promise<void> {
    const { code, isFinal, isAnswerLost, retryAfterMs } = failureOf(error);
    const outcome = isFinal
      ? 'refused'
      : await this.messages.reschedule(message, code, isAnswerLost, retryAfterMs);
    if (isFinal) await this.messages.close(message, 'refused', code);
    // Replies of a provider may contain the address, so a DeliveryFailure is logged by its code alone.
    const about = { ...logFields(message), code, ...(!(error instanceof DeliveryFailure) && { err: error }) };
    if (outcome === null) return this.#logger.warn({ msg: 'message will be retried', ...about });
    messagesTotal.inc({ channel: message.channel, kind: message.kind, outcome });
    this.#logger.error({ msg: 'message failed', ...about, outcome });
  }
}

function logFields({ id, kind, channel, request_id: requestId, attempts }: ClaimedMessage) {
  return { message: id, kind, channel, requestId, attempts };
}

function failureOf(
  error: unknown,
): Pick<DeliveryFailure, 'code' | 'isFinal' | 'isAnswerLost' | 'retryAfterMs'> {
  if (error instanceof DeliveryFailure) return error;
  const code = error instanceof AppError ? error.reason : 'INTERNAL_ERROR';
  return { code, isFinal: false, isAnswerLost: false, retryAfterMs: undefined };
}
