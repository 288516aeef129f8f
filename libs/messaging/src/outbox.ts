import { EventEmitter } from 'node:events';
import type { CallContext, Event } from '@vaultsvc/contracts';
import { statement, type Queryable } from '@vaultsvc/database';

/** Account and request of an event that no call context provides, for example of a sign-in or a job. */
export interface EventOrigin {
  readonly requestId: string | null;
  readonly accountId: string | null;
}

/**
 * Transactional outbox: an event is a row written in the transaction of its change, so neither exists without the other. The
 * relay publishes the row afterwards.
 *
 * A hot path may insert the row in the statement of its change (a CTE on `outbox (name, account_id, request_id, payload)`)
 * and then call `wake()`.
 */
export class Outbox {
  readonly #wakes = new EventEmitter();
  #woken = false;

  constructor(private readonly service: string) {}

  /**
   * Records an event in the caller's transaction. Call `wake()` after the commit.
   * @throws Error for an event of another service, which consumers would refuse
   */
  async publish<P extends object>(
    tx: Queryable,
    event: Event<P>,
    payload: NoInfer<P>,
    from: Pick<CallContext, 'requestId' | 'credential'> | EventOrigin | null,
  ): Promise<void> {
    if (event.service !== this.service) throw new Error(`${this.service} cannot publish ${event.name}`);
    const { requestId, accountId } = originOf(from);
    await tx.query(insertEvent, [event.name, accountId, requestId, JSON.stringify(payload)]);
  }

  /** Wakes the relay of this process. A lost wake delays events by a second at most: the relay also polls. */
  wake(): void {
    this.#woken = true;
    this.#wakes.emit('wake');
  }

  /**
   * Resolves at the next wake or after `withinMs`; at once if a wake arrived since the previous wait. Returns whether there was
   * a wake.
   */
  async nextWake(withinMs: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#woken && !signal.aborted) await this.#wait(withinMs, signal);
    const woken = this.#woken;
    this.#woken = false;
    return woken;
  }

  #wait(withinMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#wakes.off('wake', done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, withinMs);
      this.#wakes.once('wake', done);
      signal.addEventListener('abort', done, { once: true });
    });
  }
}

function originOf(from: Pick<CallContext, 'requestId' | 'credential'> | EventOrigin | null): EventOrigin {
  if (from === null) return { requestId: null, accountId: null };
  if (!('credential' in from)) return from;
  const { requestId, credential } = from;
  return { requestId, accountId: 'accountId' in credential ? credential.accountId : null };
}

const insertEvent = statement(
  'outbox.insert',
  `INSERT INTO outbox (name, account_id, request_id, payload) VALUES ($1, $2, $3, $4)`,
);
