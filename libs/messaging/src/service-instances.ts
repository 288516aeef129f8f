import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { readTarget, shardSubject } from './shard-names.js';
import { isUndelivered } from './undelivered.js';

/** How long an instance must be gone before its calls are: one that changes its NATS server is back sooner. */
const GONE_FOR_MS = 350;
/** How long an instance that is connected may leave questions unanswered before calls are sent past it. */
const SILENT_FOR_MS = 1_000;
/** How long one that is gone is remembered: longer than a call that it may have had is waited for. */
const REMEMBERED_FOR_MS = 10_000;

/** An instance of this name in an answer; an older release ignores it, as the id of a call that it does not know. */
const INSTANCE = 'instance:';

/** The subject on which every instance of a target is asked which calls it is running. */
export function runningSubject(target: string): string {
  const { service, shard } = readTarget(target);
  return shardSubject(`rpc.${service}.running`, shard);
}

/** The subject on which one instance alone receives calls of an operation, while another one of its service is silent. */
export function instanceSubject(operationSubject: string, instance: string): string {
  return `${operationSubject}.${instance}`;
}

/** The subject that exists as long as one instance is connected. Messages on it have no effect. */
export function presenceSubject(target: string, instance: string): string {
  return `rpc.${readTarget(target).service}.running.${instance}`;
}

/** The answer of an instance: its name, and those of the asked calls that it is running. */
export function runningAnswer(instance: string, calls: readonly string[]): string {
  return JSON.stringify([`${INSTANCE}${instance}`, ...calls]);
}

/** The name of the instance that answers. An older release gives none. */
export function instanceOf(answer: readonly string[]): string | undefined {
  return answer.find((item) => item.startsWith(INSTANCE))?.slice(INSTANCE.length);
}

interface Instance {
  /** The last round of questions that it answered. */
  answered: number;
  /** Since when NATS has had no subscription of it, by `performance.now()`. */
  goneSinceMs?: number;
  /** Since when a question of ours has been unanswered. */
  askedSinceMs?: number;
}

/**
 * The instances of one target, as their answers to the questions of `LostCalls` show them. NATS replies at once to a message that
 * nobody is subscribed to, so an instance whose connection has ended is told apart from one that is silent.
 */
export class ServiceInstances {
  readonly #instances = new Map<string, Instance>();
  /** Those that answer, while another one does not. */
  #live: readonly string[] = [];
  #turn = 0;

  /** @param inbox a prefix of reply subjects of ours; messages on `<inbox>.<instance>` are for `receive` */
  constructor(
    private readonly connection: NatsConnection,
    private readonly target: string,
    private readonly inbox: string,
  ) {}

  /** An instance has answered the questions of this round. */
  note(instance: string, round: number): void {
    this.#instances.set(instance, { answered: round });
  }

  /** All instances are asked now. */
  asked(): void {
    for (const instance of this.#instances.values()) instance.askedSinceMs ??= performance.now();
  }

  /**
   * The instance that the next call is for; undefined while none is silent, so that NATS chooses. NATS goes on to choose a frozen
   * instance for as long as it holds its connection, which releases before 2.10 do for as long as they send it calls.
   */
  next(): string | undefined {
    return this.#live.length > 0 ? this.#live[this.#turn++ % this.#live.length] : undefined;
  }

  /** Whether calls are sent past a silent instance. */
  get isAvoiding(): boolean {
    return this.#live.length > 0;
  }

  /** Finds out which instances are silent. If all are, it is this process that was paused, or NATS, and none is avoided. */
  judge(): void {
    const now = performance.now();
    const present = [...this.#instances].filter(([, { goneSinceMs }]) => goneSinceMs === undefined);
    const live = present.filter(([, { askedSinceMs = now }]) => now - askedSinceMs < SILENT_FOR_MS);
    this.#live = live.length < present.length ? live.map(([name]) => name) : [];
  }

  /** Asks NATS whether each known instance is still connected. */
  probe(): void {
    for (const [name, { goneSinceMs = Infinity }] of this.#instances) {
      if (performance.now() - goneSinceMs > REMEMBERED_FOR_MS) this.#instances.delete(name);
      else
        this.connection.publish(presenceSubject(this.target, name), '', { reply: `${this.inbox}.${name}` });
    }
  }

  /** NATS' reply that nobody subscribes to the presence of an instance. */
  receive(message: Msg): void {
    const instance = this.#instances.get(message.subject.slice(this.inbox.length + 1));
    if (instance && isUndelivered(message)) instance.goneSinceMs ??= performance.now();
  }

  /**
   * Whether an instance that has gone must have had a call that nobody claimed: it went after the call was sent, and all others
   * have answered in this round. One that is silent may be running the call.
   */
  hasTaken(call: { readonly sentAtMs: number }, round: number): boolean {
    const all = [...this.#instances.values()];
    const now = performance.now();
    const isGone = ({ goneSinceMs }: Instance) =>
      goneSinceMs !== undefined && now - goneSinceMs >= GONE_FOR_MS;
    const wentMeanwhile = all.some((one) => isGone(one) && (one.goneSinceMs ?? 0) >= call.sentAtMs);
    return wentMeanwhile && all.every((one) => isGone(one) || one.answered >= round);
  }
}
