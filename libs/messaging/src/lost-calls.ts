import type { Msg, NatsConnection } from '@nats-io/transport-node';

/** How often a call is asked for, from this time after it was sent. */
const ASK_EVERY_MS = 500;
/** Questions that no instance answers before a call counts as lost: three seconds in all. */
const UNANSWERED_MAX = 5;

/** The subject on which every instance of a service is asked which calls it is running. */
export function runningSubject(service: string): string {
  return `rpc.${service}.running`;
}

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
  readonly service: string;
  readonly onLost: () => void;
  unanswered: number;
}

/**
 * Finds calls whose instance has died. NATS tells nobody that a client is gone, so the caller would wait until its deadline.
 * Instead it asks all instances for its calls that take longer than half a second; a call that none is running has died with
 * its instance. An instance that is paused for three seconds counts as dead; what it does afterwards is not known, as after a
 * timeout. Answers are not authenticated: a forged one prolongs the wait up to the deadline and no further.
 */
export class LostCalls {
  readonly #watched = new Map<string, Watched>();
  #asked = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isConnected = true;

  /** @param subject a reply subject of ours; answers arrive there */
  constructor(
    private readonly connection: NatsConnection,
    private readonly subject: string,
  ) {
    connection.subscribe(subject, { callback: (error, message) => void (error ?? this.#receive(message)) });
    void this.#watchConnection();
  }

  /** Watches a call until `forget`. */
  watch(call: string, service: string, onLost: () => void): void {
    this.#watched.set(call, { service, onLost, unanswered: 0 });
    this.#timer ??= setInterval(() => this.#round(), ASK_EVERY_MS).unref();
  }

  forget(call: string): void {
    this.#watched.delete(call);
    this.#asked.delete(call);
  }

  /** Only calls that have seen one round before are asked for: most are answered by then. */
  #round(): void {
    if (this.#watched.size === 0) return this.#stop();
    if (!this.#isConnected) return;
    const due = [...this.#watched].filter(([call]) => this.#asked.has(call));
    this.#asked = new Set(this.#watched.keys());
    for (const [call, { unanswered, onLost }] of due) {
      if (unanswered < UNANSWERED_MAX) continue;
      this.forget(call);
      onLost();
    }
    const asked = due.filter(([call]) => this.#watched.has(call));
    for (const service of new Set(asked.map(([, one]) => one.service)))
      this.#ask(
        service,
        asked.filter(([, one]) => one.service === service),
      );
  }

  #ask(service: string, calls: readonly (readonly [string, Watched])[]): void {
    for (const [, watched] of calls) watched.unanswered++;
    const ids = JSON.stringify(calls.map(([call]) => call));
    this.connection.publish(runningSubject(service), ids, { reply: this.subject });
  }

  #receive(message: Msg): void {
    for (const call of readCallIds(message)) {
      const watched = this.#watched.get(call);
      if (watched) watched.unanswered = 0;
    }
  }

  /** Nothing counts while NATS is gone. Services reconnect at their own pace, and then send their replies again. */
  async #watchConnection(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === 'disconnect') this.#isConnected = false;
      if (type !== 'reconnect') continue;
      this.#isConnected = true;
      for (const watched of this.#watched.values()) watched.unanswered = 0;
    }
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
