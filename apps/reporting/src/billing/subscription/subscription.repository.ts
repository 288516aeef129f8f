import { Injectable } from '@nestjs/common';
import { epochSeconds, namedStatement, statement, type Queryable } from '@vaultsvc/database';
import type { SubscriptionState } from '../quote/subscription-state.js';

/** A subscription, and the moment at which it was read. */
export interface LoadedSubscription {
  readonly state: SubscriptionState;
  /** Epoch seconds by the database's clock. */
  readonly now: number;
  /** The payment method that invoices are charged to; null: none. */
  readonly defaultPaymentMethod: string | null;
}

/** An account whose subscription does not have the status that its invoices call for. */
export interface Standing {
  readonly accountId: string;
  readonly isOverdue: boolean;
}

interface SubscriptionRow extends SubscriptionState {
  readonly now: number;
  readonly defaultPaymentMethod: string | null;
}

/** The subscription of each account. A row is made when billing first needs it, from the plan of the account's pools. */
@Injectable()
export class SubscriptionRepository {
  async read(db: Queryable, accountId: string): Promise<LoadedSubscription> {
    const found = await this.#find(db, accountId);
    if (found) return found;
    await db.query(insertSubscription, [accountId]);
    const made = await this.#find(db, accountId);
    if (!made) throw new Error('the insert of a subscription left no row');
    return made;
  }

  /** Replaces the version before `next`; false when another change came first. */
  async replace(tx: Queryable, accountId: string, next: SubscriptionState): Promise<boolean> {
    const replaced = { accountId, formerVersion: next.version - 1, billed: JSON.stringify(next.billed) };
    const values = replaceSubscription.valuesOf({ ...next, ...replaced });
    return (await tx.query(replaceSubscription, values)).length > 0;
  }

  /** Adds to the credit balance: a payment that nothing was due for. */
  async addCredit(tx: Queryable, accountId: string, amount: number): Promise<void> {
    await tx.query(addCredit, [accountId, amount]);
  }

  /** Accounts whose invoices are overdue and whose subscription is active, or the other way round; at most `max` of each. */
  async findStanding(db: Queryable, graceDays: number, max: number): Promise<Standing[]> {
    return db.query<Standing>(findStanding, [graceDays, max]);
  }

  /** Accounts whose period has ended, at most `max`. */
  async findEnded(db: Queryable, max: number): Promise<string[]> {
    const rows = await db.query<{ accountId: string }>(findEnded, [max]);
    return rows.map(({ accountId }) => accountId);
  }

  async #find(db: Queryable, accountId: string): Promise<LoadedSubscription | undefined> {
    const [row] = await db.query<SubscriptionRow>(findSubscription, [accountId]);
    if (!row) return undefined;
    const { now, defaultPaymentMethod, ...state } = row;
    return { state, now, defaultPaymentMethod };
  }
}

const findSubscription = statement(
  'subscriptions.find',
  `SELECT status, store, plan, seats, storage_blocks AS "storageBlocks", bandwidth_blocks AS "bandwidthBlocks",
          ${epochSeconds('period_start', 'periodStart')}, ${epochSeconds('period_end', 'periodEnd')},
          cancel_at_period_end AS "cancelAtPeriodEnd", billed, credit_balance AS "creditBalance",
          rounding_carry AS "roundingCarry", version, ${epochSeconds('changed_at', 'changedAt')},
          ${epochSeconds('now()', 'now')}, default_payment_method AS "defaultPaymentMethod"
     FROM subscriptions WHERE account_id = $1`,
);

/** Whole seconds: proration counts them. */
const insertSubscription = statement(
  'subscriptions.insert',
  `INSERT INTO subscriptions (account_id, status, plan, period_start, period_end, changed_at)
   SELECT $1::text, CASE WHEN pool.status = 'none' THEN 'canceled' ELSE 'active' END,
          coalesce(pool.plan, 'default'), at, at + interval '720 hours', at
     FROM date_trunc('second', now()) AS at LEFT JOIN pools AS pool ON pool.account_id = $1::text
   ON CONFLICT (account_id) DO NOTHING`,
);

interface Replacement extends Omit<SubscriptionState, 'billed'> {
  readonly accountId: string;
  readonly formerVersion: number;
  /** JSON. */
  readonly billed: string;
}

const replaceSubscription = namedStatement<Replacement>(
  'subscriptions.replace',
  (v) => `
   UPDATE subscriptions
      SET version = ${v.version}, status = ${v.status}, store = ${v.store}, plan = ${v.plan}, seats = ${v.seats},
          storage_blocks = ${v.storageBlocks}, bandwidth_blocks = ${v.bandwidthBlocks},
          period_start = to_timestamp(${v.periodStart}), period_end = to_timestamp(${v.periodEnd}),
          cancel_at_period_end = ${v.cancelAtPeriodEnd}, credit_balance = ${v.creditBalance},
          rounding_carry = ${v.roundingCarry}, changed_at = to_timestamp(${v.changedAt}), billed = ${v.billed}
    WHERE account_id = ${v.accountId} AND version = ${v.formerVersion}
   RETURNING account_id`,
);

/** A quote of the previous version knows nothing of the credit, so the version counts on. */
const addCredit = statement(
  'subscriptions.add-credit',
  `UPDATE subscriptions SET credit_balance = credit_balance + $2, version = version + 1 WHERE account_id = $1`,
);

const findEnded = statement(
  'subscriptions.find-ended',
  `SELECT account_id AS "accountId" FROM subscriptions
    WHERE status = 'active' AND period_end <= now() ORDER BY period_end LIMIT $1`,
);

const OVERDUE = `EXISTS (SELECT FROM invoices AS invoice
   WHERE invoice.account_id = subscriptions.account_id AND invoice.status = 'open'
     AND invoice.created_at < now() - make_interval(days => $1))`;

const findStanding = statement(
  'subscriptions.find-standing',
  `(SELECT account_id AS "accountId", true AS "isOverdue" FROM subscriptions
     WHERE status = 'active' AND store IS NULL AND ${OVERDUE} LIMIT $2)
   UNION ALL
   (SELECT account_id, false FROM subscriptions WHERE status = 'past_due' AND NOT ${OVERDUE} LIMIT $2)`,
);
