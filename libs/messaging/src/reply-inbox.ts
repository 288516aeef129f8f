import { randomUUID } from 'node:crypto';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { inboxPrefix } from './connection.js';
import { reportUnreadable } from './guarded-subscriptions.js';
import { LostCalls } from './lost-calls.js';
import { isUndelivered } from './undelivered.js';
import type { ReceivedReply } from './wire-form.js';

/**
 * Why a call has no reply. `absent`: no instance is connected. `slow`: none replied in time. `lost`: its instance has died.
 * `disconnected`: this process has lost NATS.
 */
export type NoReplyKind = 'absent' | 'slow' | 'lost' | 'disconnected';

export class NoReply extends Error {
  override readonly name = 'NoReply';
  constructor(
    readonly kind: NoReplyKind,
    options?: ErrorOptions,
  ) {
    super(`no reply: ${kind}`, options);
  }
}

interface Waiting {
  readonly read: (message: Msg) => ReceivedReply | undefined;
  readonly resolve: (reply: ReceivedReply) => void;
  readonly reject: (error: NoReply) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Receives the replies to the calls of this process through one subscription. NATS's own request function does not let the
 * caller sign the subject of the reply, which the MAC of a call covers, and it takes the first reply, whoever sent it.
 */
export class ReplyInbox {
  readonly #prefix: string;
  readonly #waiting = new Map<string, Waiting>();
  readonly #lost: LostCalls;

  constructor(
    private readonly connection: NatsConnection,
    service: string,
  ) {
    this.#prefix = `${inboxPrefix(service)}.${randomUUID()}`;
    connection.subscribe(`${this.#prefix}.*`, {
      callback: (error, message) => {
        if (!error) this.#receiveSafely(message);
      },
    });
    this.#lost = new LostCalls(connection, `${inboxPrefix(service)}.${randomUUID()}`);
    void connection.closed().then(() => this.#rejectAll());
  }

  /** The reply subject of a new call: its last token is the id of the call, 122 random bits. */
  newSubject(): string {
    return `${this.#prefix}.${randomUUID()}`;
  }

  /** The instance that the next call of a target is for; undefined: NATS chooses one of its queue group. */
  instanceFor(target: string): string | undefined {
    return this.#lost.instanceFor(target);
  }

  /**
   * Resolves to the first reply that `read` finds in a message on the subject; other messages are ignored, so that a forged reply
   * does not end the call.
   * @param target of the call
   * @throws NoReply
   */
  wait(
    subject: string,
    target: string,
    timeoutMs: number,
    read: (message: Msg) => ReceivedReply | undefined,
  ): Promise<ReceivedReply> {
    return new Promise((resolve, reject) => {
      const end = (kind: NoReplyKind) => this.#take(subject)?.reject(new NoReply(kind));
      // A process that was paused runs its timers first: what its sockets hold is read before a call counts as unanswered.
      const timer = setTimeout(() => setImmediate(() => end('slow')), timeoutMs);
      this.#waiting.set(subject, { read, resolve, reject, timer });
      this.#lost.watch(subject, target, () => end('lost'));
    });
  }

  /** Ends the wait for a call that could not be sent. */
  fail(subject: string, cause: unknown): void {
    this.#take(subject)?.reject(new NoReply('disconnected', { cause }));
  }

  /** A message that cannot be read is no reply of ours, and ends no wait. */
  #receiveSafely(message: Msg): void {
    try {
      this.#receive(message);
    } catch (error) {
      reportUnreadable(error);
    }
  }

  #receive(message: Msg): void {
    const { subject } = message;
    if (isUndelivered(message)) return this.#take(subject)?.reject(new NoReply('absent'));
    const reply = this.#waiting.get(subject)?.read(message);
    if (reply) this.#take(subject)?.resolve(reply);
  }

  #take(subject: string): Waiting | undefined {
    const waiting = this.#waiting.get(subject);
    clearTimeout(waiting?.timer);
    this.#lost.forget(subject);
    this.#waiting.delete(subject);
    return waiting;
  }

  #rejectAll(): void {
    for (const subject of [...this.#waiting.keys()])
      this.fail(subject, new Error('the connection is closed'));
  }
}
