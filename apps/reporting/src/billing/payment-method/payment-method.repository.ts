import { Injectable } from '@nestjs/common';
import type { PaymentProvider } from '@vaultsvc/contracts/reporting';
import { epochSeconds, namedStatement, statement, type Queryable } from '@vaultsvc/database';
import type { MethodDetails } from '../provider/billing-provider.js';

/** The most payment methods of an account. */
export const METHODS_MAX = 20;

/** A payment method that is attached. Times are epoch seconds. */
export interface MethodRecord extends MethodDetails {
  readonly id: string;
  readonly provider: PaymentProvider;
  readonly label: string | null;
  readonly isDefault: boolean;
  readonly createdAt: number;
}

/** Values of a new payment method. */
export interface MethodInsert extends MethodDetails {
  readonly id: string;
  readonly accountId: string;
  readonly provider: PaymentProvider;
  readonly label: string | null;
  /** When the provider's event occurred, in epoch seconds; null: a call of ours. */
  readonly eventAt: number | null;
}

/** A payment method that waits for its removal at the provider. */
export interface DetachingMethod {
  readonly id: string;
  readonly ref: string;
}

/** A deleted payment method. */
export interface HiddenMethod {
  readonly provider: PaymentProvider;
  /** null: the provider has no record of it. */
  readonly ref: string | null;
}

/** The payment methods of accounts. Which one is the default is a column of the subscription: there can be only one. */
@Injectable()
export class PaymentMethodRepository {
  list(db: Queryable, accountId: string): Promise<MethodRecord[]> {
    return db.query<MethodRecord>(listMethods, [accountId]);
  }

  async find(db: Queryable, accountId: string, id: string): Promise<MethodRecord | undefined> {
    return (await this.list(db, accountId)).find((method) => method.id === id);
  }

  /**
   * Inserts a payment method, or updates the one with the same reference unless it is detached or a newer event was applied. Its id,
   * or undefined when nothing changed, which includes an account with METHODS_MAX of them.
   */
  async save(tx: Queryable, method: MethodInsert): Promise<string | undefined> {
    await tx.query(lockAccount, [method.accountId]); // so that the next statement sees the methods of concurrent calls
    const [row] = await tx.query<{ id: string }>(saveMethod, saveMethod.valuesOf(method));
    return row?.id;
  }

  /** Makes a method the default if the account has none. */
  async makeFirstDefault(tx: Queryable, accountId: string, id: string): Promise<void> {
    await tx.query(makeFirstDefault, [accountId, id]);
  }

  /** False when the account has no such method. */
  async makeDefault(db: Queryable, accountId: string, id: string): Promise<boolean> {
    return (await db.query(makeDefault, [accountId, id])).length > 0;
  }

  /** Hides a method and marks it for removal at its provider. Undefined: the account has no such method. */
  async beginDetach(tx: Queryable, accountId: string, id: string): Promise<HiddenMethod | undefined> {
    const [row] = await tx.query<HiddenMethod>(beginDetach, [accountId, id]);
    if (row) await tx.query(replaceDefault, [accountId, id]);
    return row;
  }

  async finishDetach(db: Queryable, id: string): Promise<void> {
    await db.query(finishDetach, [id]);
  }

  findDetaching(db: Queryable, provider: string, max: number): Promise<DetachingMethod[]> {
    return db.query<DetachingMethod>(findDetaching, [provider, max]);
  }

  /** Applies the provider's report that a method is detached. The row stays: the report that it was attached may come later. */
  async saveDetached(tx: Queryable, method: Omit<MethodInsert, 'eventAt'>): Promise<void> {
    const { id, accountId, provider, ref, type } = method;
    const [row] = await tx.query<{ id: string }>(saveDetached, [id, accountId, provider, ref, type]);
    if (row) await tx.query(replaceDefault, [accountId, row.id]);
  }
}

const listMethods = statement(
  'payment-methods.list',
  `SELECT method.id, method.provider, method.provider_ref AS ref, method.type, method.label, method.brand, method.last4,
          method.exp_month AS "expMonth", method.exp_year AS "expYear",
          coalesce(subscription.default_payment_method = method.id, false) AS "isDefault",
          ${epochSeconds('method.created_at', 'createdAt')}
     FROM payment_methods AS method LEFT JOIN subscriptions AS subscription USING (account_id)
    WHERE method.account_id = $1 AND method.status = 'attached'
    ORDER BY method.created_at, method.id`,
);

const lockAccount = statement(
  'payment-methods.lock-account',
  `SELECT account_id FROM subscriptions WHERE account_id = $1 FOR UPDATE`,
);

const saveMethod = namedStatement<MethodInsert>(
  'payment-methods.save',
  (v) => `
   INSERT INTO payment_methods AS method
          (id, account_id, provider, provider_ref, type, label, brand, last4, exp_month, exp_year, event_at)
   SELECT ${v.id}, ${v.accountId}, ${v.provider}, ${v.ref}::text, ${v.type}, ${v.label}, ${v.brand}, ${v.last4},
          ${v.expMonth}, ${v.expYear}, to_timestamp(${v.eventAt})
    WHERE (SELECT count(*) FROM payment_methods WHERE account_id = ${v.accountId} AND status = 'attached'
              AND (${v.ref}::text IS NULL OR provider_ref IS DISTINCT FROM ${v.ref})) < ${METHODS_MAX}
   ON CONFLICT (provider_ref) DO UPDATE SET
          type = excluded.type, label = coalesce(excluded.label, method.label), brand = excluded.brand,
          last4 = excluded.last4, exp_month = excluded.exp_month, exp_year = excluded.exp_year,
          event_at = coalesce(excluded.event_at, method.event_at)
    WHERE method.account_id = excluded.account_id AND method.status = 'attached'
      AND (method.event_at IS NULL OR excluded.event_at IS NULL OR method.event_at <= excluded.event_at)
   RETURNING id`,
);

const makeFirstDefault = statement(
  'payment-methods.make-first-default',
  `UPDATE subscriptions SET default_payment_method = $2 WHERE account_id = $1 AND default_payment_method IS NULL`,
);

const makeDefault = statement(
  'payment-methods.make-default',
  `UPDATE subscriptions SET default_payment_method = $2
    WHERE account_id = $1
      AND EXISTS (SELECT FROM payment_methods WHERE id = $2 AND account_id = $1 AND status = 'attached')
   RETURNING account_id`,
);

const beginDetach = statement(
  'payment-methods.begin-detach',
  `UPDATE payment_methods SET status = CASE WHEN provider_ref IS NULL THEN 'detached' ELSE 'detaching' END
    WHERE account_id = $1 AND id = $2 AND status = 'attached'
   RETURNING provider, provider_ref AS ref`,
);

const replaceDefault = statement(
  'payment-methods.replace-default',
  `UPDATE subscriptions SET default_payment_method = (
            SELECT id FROM payment_methods WHERE account_id = $1 AND status = 'attached'
             ORDER BY created_at DESC, id DESC LIMIT 1)
    WHERE account_id = $1 AND default_payment_method = $2`,
);

const finishDetach = statement(
  'payment-methods.finish-detach',
  `UPDATE payment_methods SET status = 'detached' WHERE id = $1`,
);

const findDetaching = statement(
  'payment-methods.find-detaching',
  `SELECT id, provider_ref AS ref FROM payment_methods WHERE status = 'detaching' AND provider = $1
    ORDER BY id LIMIT $2`,
);

const saveDetached = statement(
  'payment-methods.save-detached',
  `INSERT INTO payment_methods AS method (id, account_id, provider, provider_ref, type, status)
   VALUES ($1, $2, $3, $4, $5, 'detached')
   ON CONFLICT (provider_ref) DO UPDATE SET status = 'detached'
    WHERE method.account_id = excluded.account_id AND method.status <> 'detached'
   RETURNING id`,
);
