import { Injectable } from '@nestjs/common';
import { LimitReached, nextSecond } from '@vaultsvc/contracts';
import { clientNetwork } from '@vaultsvc/limits';
import { Counter, Gauge } from 'prom-client';
import { GatewayConfig } from '../config.js';

const inFlight = new Gauge({
  name: 'vaultsvc_body_bytes_in_flight',
  help: 'Bytes of request bodies that are being received, or whose calls have not ended.',
});
const refused = new Counter({
  name: 'vaultsvc_bodies_refused_total',
  help: 'Bodies that were refused because of the bytes in flight, by the budget that was exhausted.',
  labelNames: ['of'],
});

/** Shares of BODY_BYTES_IN_FLIGHT_MAX. */
const ACCOUNT_SHARE = 1 / 4;
const ADDRESS_SHARE = 1 / 16;
const ALL_ADDRESSES_SHARE = 1 / 4;

/** Bytes in flight of an account, of an address, of all addresses, or of the process. */
interface Budget {
  readonly of: 'account' | 'address' | 'addresses' | 'process';
  readonly limit: number;
  used: number;
}

/** The budget of an account or address; it exists while calls of it are under way. */
interface OwnBudget extends Budget {
  calls: number;
}

/** The body of one call. */
export interface BodyReservation {
  /** Adds bytes of the body. Throws BODY_BUDGET_EXHAUSTED (429), having added nothing. */
  add(bytes: number): void;
  /** Gives all bytes back, once the call has ended. */
  release(): void;
}

/**
 * Limits the memory that request bodies use at once, from their arrival to the end of their calls, so that no account, and
 * nobody without one, can occupy a process.
 */
@Injectable()
export class BodyBudget {
  readonly #process: Budget;
  readonly #addresses: Budget;
  readonly #owners = new Map<string, OwnBudget>();

  constructor({ BODY_BYTES_IN_FLIGHT_MAX: bytesMax }: GatewayConfig) {
    this.#process = { of: 'process', limit: bytesMax, used: 0 };
    this.#addresses = { of: 'addresses', limit: bytesMax * ALL_ADDRESSES_SHARE, used: 0 };
  }

  /** Begins the body of a call. `accountId`: null for a call without an account, which counts on its address. */
  reserve(accountId: string | null, clientIp: string): BodyReservation {
    const owner = accountId ?? clientNetwork(clientIp);
    const own = this.#owners.get(owner) ?? this.#newBudget(accountId !== null);
    const budgets = accountId === null ? [own, this.#addresses, this.#process] : [own, this.#process];
    own.calls += 1;
    this.#owners.set(owner, own);
    let bytes = 0;
    return {
      add: (more) => {
        add(budgets, more);
        bytes += more;
      },
      release: () => {
        add(budgets, -bytes);
        own.calls -= 1;
        if (own.calls === 0) this.#owners.delete(owner);
      },
    };
  }

  #newBudget(isAccount: boolean): OwnBudget {
    const { limit } = this.#process;
    return isAccount
      ? { of: 'account', limit: limit * ACCOUNT_SHARE, used: 0, calls: 0 }
      : { of: 'address', limit: limit * ADDRESS_SHARE, used: 0, calls: 0 };
  }
}

/** Throws if a budget is exhausted; negative bytes are always accepted. */
function add(budgets: readonly Budget[], bytes: number): void {
  const full = budgets.find(({ limit, used }) => bytes > 0 && used + bytes > limit);
  if (full) throw exhausted(full);
  for (const budget of budgets) budget.used += bytes;
  inFlight.inc(bytes);
}

function exhausted({ of, limit, used }: Budget): LimitReached {
  refused.inc({ of });
  return new LimitReached('BODY_BUDGET_EXHAUSTED', { limit, used, resets_at: nextSecond() });
}
