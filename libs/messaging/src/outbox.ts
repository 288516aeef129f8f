import type { CallContext, Event } from '@vaultsvc/contracts';
import { statement, type Queryable } from '@vaultsvc/database';

/** Account and request of an event that no call context provides, for example of a sign-in or a job. */
export interface EventOrigin {
  readonly requestId: string | null;
  readonly accountId: string | null;
}

/**
 * Transactional outbox: an event is a row written in the transaction of its change, so neither exists without the other. The
 * relay publishes the row afterwards: the commit wakes that of this process.
 *
 * A hot path may insert the row in the statement of its change (a CTE on `outbox (name, account_id, request_id, payload)`).
 */
export class Outbox {
  constructor(private readonly service: string) {}

  /**
   * Records an event in the caller's transaction.
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
