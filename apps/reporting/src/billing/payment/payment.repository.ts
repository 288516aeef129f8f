import { Injectable } from '@nestjs/common';
import { newId } from '@vaultsvc/crypto/encoding';
import { epochSeconds, statement, type Queryable } from '@vaultsvc/database';
import type { PaymentOrder, PaymentOutcome } from '../provider/billing-provider.js';

/** A payment whose outcome was recorded. */
export interface DecidedPayment {
  readonly accountId: string;
  readonly invoiceId: string;
  readonly amount: number;
}

/** An open invoice of an account with a payment method. */
export interface DueInvoice {
  readonly accountId: string;
  readonly invoiceId: string;
}

/** Attempts to collect invoices. */
@Injectable()
export class PaymentRepository {
  /**
   * Records the intent to collect an open invoice with the default payment method. Undefined when the account has no such
   * invoice, it is not open, or another payment of it is pending.
   */
  async begin(
    db: Queryable,
    accountId: string,
    invoiceId: string,
    provider: string,
  ): Promise<PaymentOrder | undefined> {
    const [order] = await db.query<PaymentOrder>(beginPayment, [
      newId('pay_'),
      accountId,
      invoiceId,
      provider,
    ]);
    return order;
  }

  /** Records the outcome of a payment; undefined when one was recorded before. A failure never replaces a success. */
  async decide(
    tx: Queryable,
    id: string,
    outcome: Exclude<PaymentOutcome, { status: 'pending' }>,
  ): Promise<DecidedPayment | undefined> {
    const code = outcome.status === 'failed' ? outcome.code : null;
    const [payment] = await tx.query<DecidedPayment>(decidePayment, [id, outcome.status, outcome.ref, code]);
    return payment;
  }

  /** Open invoices that are not overdue and that nobody tried to collect in the last 24 hours, oldest first. */
  findDue(db: Queryable, graceDays: number, max: number): Promise<DueInvoice[]> {
    return db.query<DueInvoice>(findDue, [graceDays, max]);
  }

  /** Claims payments of a provider to ask about again: first a minute after the last time, then more and more rarely. */
  claimUnfinished(db: Queryable, provider: string, max: number): Promise<PaymentOrder[]> {
    return db.query<PaymentOrder>(claimUnfinished, [provider, max]);
  }
}

/** The unique index decides between two calls. The method is that of the moment: a later default does not pay it. */
const beginPayment = statement(
  'payments.begin',
  `WITH payment AS (
     INSERT INTO payments (id, invoice_id, account_id, provider, payment_method_id, status)
     SELECT $1, invoice.id, invoice.account_id, $4, subscription.default_payment_method, 'pending'
       FROM invoices AS invoice JOIN subscriptions AS subscription USING (account_id)
      WHERE invoice.account_id = $2 AND invoice.id = $3 AND invoice.status = 'open'
     ON CONFLICT (invoice_id) WHERE status IN ('pending', 'succeeded') DO NOTHING
     RETURNING id, account_id, invoice_id, payment_method_id)
   SELECT payment.id, payment.account_id AS "accountId", payment.invoice_id AS "invoiceId",
          invoice.amount_due AS amount, invoice.currency, method.provider_ref AS "methodRef",
          ${epochSeconds('now()', 'createdAt')}
     FROM payment JOIN invoices AS invoice ON invoice.id = payment.invoice_id
     LEFT JOIN payment_methods AS method
       ON method.id = payment.payment_method_id AND method.account_id = payment.account_id`,
);

/** A late success is not in the unique index: another payment of the invoice may have begun after the failure. */
const decidePayment = statement(
  'payments.decide',
  `UPDATE payments AS payment SET status = CASE WHEN payment.status = 'failed' THEN 'late' ELSE $2 END,
          provider_ref = coalesce($3, payment.provider_ref), failure_code = $4,
          decided_at = now()
     FROM invoices AS invoice
    WHERE payment.id = $1 AND invoice.id = payment.invoice_id
      AND (payment.status = 'pending' OR (payment.status = 'failed' AND $2 = 'succeeded'))
   RETURNING payment.account_id AS "accountId", payment.invoice_id AS "invoiceId", invoice.amount_due AS amount`,
);

/** The older a payment, the more rarely: a direct debit takes days. */
const claimUnfinished = statement(
  'payments.claim-unfinished',
  `UPDATE payments AS payment SET asked_at = now()
     FROM invoices AS invoice
    WHERE invoice.id = payment.invoice_id AND payment.id IN (
            SELECT id FROM payments
             WHERE status = 'pending' AND provider = $1
               AND asked_at < now() - greatest(interval '1 minute', (now() - created_at) / 10)
             ORDER BY asked_at LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING payment.id, payment.account_id AS "accountId", payment.invoice_id AS "invoiceId",
             invoice.amount_due AS amount, invoice.currency, ${epochSeconds('payment.created_at', 'createdAt')},
             (SELECT provider_ref FROM payment_methods AS method
               WHERE method.id = payment.payment_method_id AND method.account_id = payment.account_id) AS "methodRef"`,
);

/** ENV-23 OPEN-31: open ones of a default payment method, once a day, until they are overdue. */
const findDue = statement(
  'payments.find-due',
  `SELECT invoice.account_id AS "accountId", invoice.id AS "invoiceId"
     FROM invoices AS invoice JOIN subscriptions AS subscription USING (account_id)
    WHERE invoice.status = 'open' AND subscription.default_payment_method IS NOT NULL
      AND invoice.created_at > now() - make_interval(days => $1)
      AND NOT EXISTS (SELECT FROM payments AS payment
            WHERE payment.invoice_id = invoice.id
              AND (payment.status = 'pending' OR payment.created_at > now() - interval '24 hours'))
    ORDER BY invoice.created_at LIMIT $2`,
);
