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
  readonly answerer: string;
  readonly onLost: () => void;
  readonly sentAtMs: number;
  unanswered: number;
  /** Its instance may have to reconnect before it repeats the reply, so that it is gone says nothing. */
  hasSeenReconnect: boolean;
}

/** Those who answer calls: see `answererOf`. */
interface Called {
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
  readonly #called = new Map<string, Called>();
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
  watch(call: string, answerer: string, onLost: () => void): void {
    const sentAtMs = performance.now();
    this.#watched.set(call, { answerer, onLost, sentAtMs, unanswered: 0, hasSeenReconnect: false });
    this.#meet(answerer, sentAtMs);
    this.#timer ??= setInterval(() => this.#ask(), ASK_EVERY_MS).unref();
  }

  forget(call: string): void {
    this.#watched.delete(call);
    this.#asked.delete(call);
  }

  /** The instance that the next call of an answerer is for; undefined: NATS chooses. */
  instanceFor(answerer: string): string | undefined {
    return this.#called.get(answerer)?.instances.next();
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
    for (const answerer of new Set(asked.map(([, one]) => one.answerer)))
      this.#askFor(
        answerer,
        asked.filter(([, one]) => one.answerer === answerer),
      );
    this.#judge();
  }

  /** An instance that is avoided has no calls to be asked for, and must be asked all the same to be found again. */
  #judge(): void {
    for (const [answerer, { instances }] of this.#called) {
      instances.judge();
      if (!instances.isAvoiding) continue;
      this.#question(answerer, []);
      instances.probe();
    }
  }

  #isLost(watched: Watched): boolean {
    const { answerer, unanswered, hasSeenReconnect } = watched;
    if (unanswered >= UNANSWERED_MAX) return true;
    if (unanswered === 0 || hasSeenReconnect) return false;
    return this.#calledOf(answerer).instances.hasTaken(watched, this.#round);
  }

  #askFor(answerer: string, calls: readonly (readonly [string, Watched])[]): void {
    for (const [, watched] of calls) watched.unanswered++;
    this.#question(
      answerer,
      calls.map(([call]) => call),
    );
    this.#calledOf(answerer).instances.probe();
  }

  /** An instance must be known before it goes, or its calls are not missed until three seconds have passed. */
  #meet(answerer: string, nowMs: number): void {
    const called = this.#calledOf(answerer);
    if (nowMs - called.metAtMs < MEET_EVERY_MS || !this.#isConnected) return;
    called.metAtMs = nowMs;
    this.#question(answerer, []);
  }

  #question(answerer: string, calls: readonly string[]): void {
    if (this.connection.isClosed()) return;
    const reply = `${this.inbox}.running.${answerer}.${this.#round}`;
    this.connection.publish(runningSubject(answerer), JSON.stringify(calls), { reply });
    this.#calledOf(answerer).instances.asked();
  }

  #calledOf(answerer: string): Called {
    const known = this.#called.get(answerer);
    if (known) return known;
    const instances = new ServiceInstances(this.connection, answerer, `${this.inbox}.present.${answerer}`);
    const called = { instances, metAtMs: -Infinity };
    this.#called.set(answerer, called);
    return called;
  }

  #receive(message: Msg): void {
    const answer = readCallIds(message);
    const [answerer = '', round] = message.subject.slice(`${this.inbox}.running.`.length).split('.');
    const instance = instanceOf(answer);
    if (instance !== undefined) this.#calledOf(answerer).instances.note(instance, Number(round));
    for (const call of answer) {
      const watched = this.#watched.get(call);
      if (watched) watched.unanswered = 0;
    }
  }

  #receivePresence(message: Msg): void {
    const [answerer = ''] = message.subject.slice(`${this.inbox}.present.`.length).split('.');
    this.#called.get(answerer)?.instances.receive(message);
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
