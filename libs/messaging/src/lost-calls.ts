import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { instanceOf, runningSubject, ServiceInstances } from './service-instances.js';

/** How often a call is asked for, from this time after it was sent. */
const ASK_EVERY_MS = 200;
/** Questions that no instance answers before a call counts as lost: three seconds in all. */
const UNANSWERED_MAX = 14;
/** How often the instances of a called service are asked for their names without a call to ask for. */
const MEET_EVERY_MS = 5_000;

/**
 * The calls that a question or an answer names. Neither is authenticated, so anything else than a list names none; so does the
 * empty message of NATS when no instance is connected.
 */
export function readCallIds({ data }: Pick<Msg, 'data'>): readonly string[] {
  try {
    const ids: unknown = JSON.parse(Buffer.from(data).toString());
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

interface Watched {
  readonly target: string;
  readonly onLost: () => void;
  readonly sentAtMs: number;
  unanswered: number;
  /** Its instance may have to reconnect before it repeats the reply, so that it is gone says nothing. */
  hasSeenReconnect: boolean;
}

/** A target of calls: see `callTarget`. */
interface TargetState {
  readonly instances: ServiceInstances;
  metAtMs: number;
}

/**
 * Finds calls whose instance has died. NATS tells nobody that a client is gone, so the caller would wait until its deadline.
 * Instead it asks all instances for its calls that take longer than a fifth of a second. A call that none is running is lost when an
 * instance has gone and all others have answered, and after three seconds in any case. An instance that is paused for so long counts
 * as dead; what it does afterwards is not known, as after a timeout. Answers are not authenticated: a forged one prolongs the wait
 * up to the deadline and no further.
 */
export class LostCalls {
  readonly #watched = new Map<string, Watched>();
  readonly #targets = new Map<string, TargetState>();
  #asked = new Set<string>();
  #round = 0;
  #timer: NodeJS.Timeout | undefined;
  #isConnected = true;

  /** @param inbox a prefix of reply subjects of ours; answers arrive below it */
  constructor(
    private readonly connection: NatsConnection,
    private readonly inbox: string,
  ) {
    connection.subscribe(`${inbox}.running.*.*`, {
      callback: (error, message) => void (error ?? this.#receive(message)),
    });
    connection.subscribe(`${inbox}.present.*.*`, {
      callback: (error, message) => void (error ?? this.#receivePresence(message)),
    });
    void this.#watchConnection();
  }

  /** Watches a call until `forget`. */
  watch(call: string, target: string, onLost: () => void): void {
    const sentAtMs = performance.now();
    this.#watched.set(call, { target, onLost, sentAtMs, unanswered: 0, hasSeenReconnect: false });
    this.#meet(target, sentAtMs);
    this.#timer ??= setInterval(() => this.#ask(), ASK_EVERY_MS).unref();
  }

  forget(call: string): void {
    this.#watched.delete(call);
    this.#asked.delete(call);
  }

  /** The instance that the next call of a target is for; undefined: NATS chooses. */
  instanceFor(target: string): string | undefined {
    return this.#targets.get(target)?.instances.next();
  }

  /** Only calls that have seen one round before are asked for: most are answered by then. */
  #ask(): void {
    if (this.#watched.size === 0) return this.#stop();
    if (!this.#isConnected) return;
    const due = [...this.#watched].filter(([call]) => this.#asked.has(call));
    this.#asked = new Set(this.#watched.keys());
    for (const [call, watched] of due) {
      if (!this.#isLost(watched)) continue;
      this.forget(call);
      watched.onLost();
    }
    this.#round += 1;
    const asked = due.filter(([call]) => this.#watched.has(call));
    for (const target of new Set(asked.map(([, one]) => one.target)))
      this.#askFor(
        target,
        asked.filter(([, one]) => one.target === target),
      );
    this.#judge();
  }

  /** An instance that is avoided has no calls to be asked for, and must be asked all the same to be found again. */
  #judge(): void {
    for (const [target, { instances }] of this.#targets) {
      instances.judge();
      if (!instances.isAvoiding) continue;
      this.#question(target, []);
      instances.probe();
    }
  }

  #isLost(watched: Watched): boolean {
    const { target, unanswered, hasSeenReconnect } = watched;
    if (unanswered >= UNANSWERED_MAX) return true;
    if (unanswered === 0 || hasSeenReconnect) return false;
    return this.#stateOf(target).instances.hasTaken(watched, this.#round);
  }

  #askFor(target: string, calls: readonly (readonly [string, Watched])[]): void {
    for (const [, watched] of calls) watched.unanswered++;
    this.#question(
      target,
      calls.map(([call]) => call),
    );
    this.#stateOf(target).instances.probe();
  }

  /** An instance must be known before it goes, or its calls are not missed until three seconds have passed. */
  #meet(target: string, nowMs: number): void {
    const state = this.#stateOf(target);
    if (nowMs - state.metAtMs < MEET_EVERY_MS || !this.#isConnected) return;
    state.metAtMs = nowMs;
    this.#question(target, []);
  }

  #question(target: string, calls: readonly string[]): void {
    if (this.connection.isClosed()) return;
    const reply = `${this.inbox}.running.${target}.${this.#round}`;
    this.connection.publish(runningSubject(target), JSON.stringify(calls), { reply });
    this.#stateOf(target).instances.asked();
  }

  #stateOf(target: string): TargetState {
    const known = this.#targets.get(target);
    if (known) return known;
    const instances = new ServiceInstances(this.connection, target, `${this.inbox}.present.${target}`);
    const state = { instances, metAtMs: -Infinity };
    this.#targets.set(target, state);
    return state;
  }

  #receive(message: Msg): void {
    const answer = readCallIds(message);
    const [target = '', round] = message.subject.slice(`${this.inbox}.running.`.length).split('.');
    const instance = instanceOf(answer);
    if (instance !== undefined) this.#stateOf(target).instances.note(instance, Number(round));
    for (const call of answer) {
      const watched = this.#watched.get(call);
      if (watched) watched.unanswered = 0;
    }
  }

  #receivePresence(message: Msg): void {
    const [target = ''] = message.subject.slice(`${this.inbox}.present.`.length).split('.');
    this.#targets.get(target)?.instances.receive(message);
  }

  /** Nothing counts while NATS is gone. Services reconnect at their own pace, and then send their replies again. */
  async #watchConnection(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === 'disconnect') this.#isConnected = false;
      if (type !== 'reconnect') continue;
      this.#isConnected = true;
      for (const watched of this.#watched.values()) {
        watched.unanswered = 0;
        watched.hasSeenReconnect = true;
      }
    }
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
