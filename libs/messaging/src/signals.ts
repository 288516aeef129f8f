import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { signalSubject, type Signal } from '@vaultsvc/contracts';
import { reportUnreadable } from './guarded-subscriptions.js';

/** One subscription at NATS for all listeners of a subject. */
interface SharedSubscription {
  readonly subscription: Subscription;
  readonly listeners: Set<() => void>;
}

/** Sends and receives signals: messages without content that may be lost (see `Signal`). */
export class Signals {
  readonly #shared = new Map<string, SharedSubscription>();

  constructor(private readonly connection: NatsConnection) {}

  /** Call it after the commit of the change. It is not awaited: a lost signal only delays. */
  send(signal: Signal, key: string): void {
    this.connection.publish(signalSubject(signal, key));
  }

  /**
   * Calls `listener` for each signal of the key, until the returned function is called. Listeners of one key share one
   * subscription, which also continues after a reconnect.
   */
  listen(signal: Signal, key: string, listener: () => void): () => void {
    const subject = signalSubject(signal, key);
    const shared = this.#shared.get(subject) ?? this.#subscribe(subject);
    shared.listeners.add(listener);
    return () => {
      if (!shared.listeners.delete(listener) || shared.listeners.size > 0) return;
      this.#shared.delete(subject);
      if (!this.connection.isClosed()) shared.subscription.unsubscribe();
    };
  }

  #subscribe(subject: string): SharedSubscription {
    const listeners = new Set<() => void>();
    const callback = () => {
      for (const listener of listeners) callSafely(listener);
    };
    const shared = { subscription: this.connection.subscribe(subject, { callback }), listeners };
    this.#shared.set(subject, shared);
    return shared;
  }
}

/** A listener that fails keeps the signal from no other one. */
function callSafely(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    reportUnreadable(error);
  }
}
