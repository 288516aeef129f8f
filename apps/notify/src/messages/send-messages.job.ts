import { setTimeout as delay } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { PeriodicJob } from '@vaultsvc/service';
import { Counter } from 'prom-client';
import { EmailChannel } from '../email/email-channel.js';
import { SmsChannel } from '../sms/sms-channel.js';
import type { Channel } from './channel.js';
import { HandoverFailure } from './handover-failure.js';
import { MessageRepository, type ClaimedMessage, type Lane, type Outcome } from './message.repository.js';

const LOOK_AGAIN_MS_MAX = 15_000;
const MARK_AGAIN_MS = 250;

const messagesTotal = new Counter({
  name: 'vaultsvc_messages_total',
  help: 'Messages that were ended, by channel, kind and outcome: sent, obsolete (nothing to say any more), refused, expired, unconfirmed (the answers were lost).',
  labelNames: ['channel', 'kind', 'outcome'],
});

/**
 * Sends the messages that are owed. Each channel has lanes, and its last one is kept for codes: one that somebody waits
 * for does not stand behind mails that a slow server takes its time for. Every copy of the service sends; a message is
 * claimed before. One that is not taken is tried again after 5 s, then after twice as long each time up to 15 min, for
 * 24 hours (codes: up to 15 s, for 15 min); one that is refused for good is not.
 */
@Injectable()
export class SendMessages implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('messages');
  readonly #channels: readonly Channel[];
  readonly #lanes: PeriodicJob[] = [];
  #nextWake = new AbortController();
  #isStopping = false;

  constructor(
    private readonly messages: MessageRepository,
    email: EmailChannel,
    sms: SmsChannel,
  ) {
    this.#channels = [email, sms];
  }

  onApplicationBootstrap(): void {
    for (const channel of this.#channels) {
      const settings = channel.missingSettings();
      if (settings.length === 0) this.#start(channel);
      else
        this.#logger.warn({ msg: `${channel.name} messages wait until these settings are given`, settings });
    }
  }

  /** Waits for the messages that are being handed over. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopping = true;
    this.wake();
    await Promise.all(this.#lanes.map((lane) => lane.stop()));
  }

  /** There is a message to send. */
  wake(): void {
    this.#nextWake.abort();
    this.#nextWake = new AbortController();
  }

  #start(channel: Channel): void {
    for (let i = 0; i < channel.lanesCount; i++) {
      const lane = { channel: channel.name, isForCodesOnly: i === channel.lanesCount - 1 };
      const repeating = new PeriodicJob(`send-${channel.name}-${i}`, () => this.#round(channel, lane));
      repeating.start(0);
      this.#lanes.push(repeating);
    }
  }

  async #round(channel: Channel, lane: Lane): Promise<number> {
    const { signal } = this.#nextWake; // before looking: a message that comes meanwhile is not slept through
    while (!this.#isStopping && (await this.#sendNext(channel, lane)));
    if (this.#isStopping) return LOOK_AGAIN_MS_MAX;
    const dueMs = (await this.messages.nextDueMs(lane)) ?? LOOK_AGAIN_MS_MAX;
    await delay(Math.min(dueMs, LOOK_AGAIN_MS_MAX), undefined, { signal }).catch(() => {}); // woken
    return 0;
  }

  /** Whether there was one. */
  async #sendNext(channel: Channel, lane: Lane): Promise<boolean> {
    const message = await this.messages.claimDue(lane);
    if (!message) return false;
    try {
      const isSent = await channel.deliver(message);
      await this.#closeSurely(message, isSent ? 'sent' : 'obsolete');
    } catch (error) {
      await this.#failed(message, error);
    }
    return true;
  }

  /** While PostgreSQL is away nobody else can claim it; once it is back, this must be there before the others. */
  async #closeSurely(message: ClaimedMessage, outcome: Outcome): Promise<void> {
    for (;;) {
      try {
        await this.messages.close(message, outcome);
        break;
      } catch (error) {
        const about = { ...facts(message), outcome, err: error };
        this.#logger.error({ msg: 'cannot note what became of a message', ...about });
      }
      if (this.#isStopping) return;
      await delay(MARK_AGAIN_MS);
    }
    messagesTotal.inc({ channel: message.channel, kind: message.kind, outcome });
    this.#logger.log({ msg: 'message ended', ...facts(message), outcome });
  }

  async #failed(message: ClaimedMessage, error: unknown): Promise<void> {
    const { code, isFinal, isAnswerLost } = failureOf(error);
    const outcome = isFinal ? 'refused' : await this.messages.putOff(message, code, isAnswerLost);
    if (isFinal) await this.messages.close(message, 'refused', code);
    // What a server says may hold the address; of all other errors we write the words ourselves.
    const about = { ...facts(message), code, ...(!(error instanceof HandoverFailure) && { err: error }) };
    if (outcome === null) return this.#logger.warn({ msg: 'message is tried again later', ...about });
    messagesTotal.inc({ channel: message.channel, kind: message.kind, outcome });
    this.#logger.error({ msg: 'message given up', ...about, outcome });
  }
}

function facts({ id, kind, channel, request_id: requestId, attempts }: ClaimedMessage) {
  return { message: id, kind, channel, requestId, attempts };
}

function failureOf(error: unknown): { code: string; isFinal: boolean; isAnswerLost: boolean } {
  if (error instanceof HandoverFailure) return error;
  const code = error instanceof AppError ? error.reason : 'INTERNAL_ERROR';
  return { code, isFinal: false, isAnswerLost: false };
}
