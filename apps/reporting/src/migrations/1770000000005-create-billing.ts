import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Subscriptions, their invoices, and how these are paid. */
export class CreateBilling1770000000005 implements MigrationInterface {
  readonly name = 'CreateBilling1770000000005';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...subscriptions, ...invoices, ...paymentMethods, ...payments, ...providers])
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE store_purchases, provider_events, checkouts, payments, payment_methods, invoice_lines, invoices, subscriptions`,
    );
  }
}

/** `version` counts changes; amounts are minor units of the currency that billing is configured with. */
const subscriptions = [
  `CREATE TABLE subscriptions (
     account_id text COLLATE "C" PRIMARY KEY,
     status text NOT NULL CHECK (status IN ('active', 'past_due', 'canceled')),
     store text CHECK (store IN ('apple', 'google')),
     plan text NOT NULL,
     seats integer NOT NULL DEFAULT 0 CHECK (seats >= 0),
     storage_blocks integer NOT NULL DEFAULT 0 CHECK (storage_blocks >= 0),
     bandwidth_blocks integer NOT NULL DEFAULT 0 CHECK (bandwidth_blocks >= 0),
     period_start timestamptz NOT NULL,
     period_end timestamptz NOT NULL,
     cancel_at_period_end boolean NOT NULL DEFAULT false,
     billed jsonb NOT NULL DEFAULT '[]',
     credit_balance bigint NOT NULL DEFAULT 0,
     rounding_carry bigint NOT NULL DEFAULT 0,
     version bigint NOT NULL DEFAULT 1,
     changed_at timestamptz NOT NULL,
     customer_ref text UNIQUE,
     default_payment_method text,
     CONSTRAINT period_is_forward CHECK (period_start <= period_end)
   )`,
  `CREATE INDEX subscriptions_to_renew ON subscriptions (period_end) WHERE status = 'active'`,
  `COMMENT ON COLUMN subscriptions.rounding_carry IS 'what earlier roundings left over, in minor units / 2592000'`,
  `COMMENT ON COLUMN subscriptions.credit_balance IS 'negative: amounts that were too small to collect'`,
  `COMMENT ON COLUMN subscriptions.billed IS 'the items that the period was charged for, with their prices'`,
  `COMMENT ON COLUMN subscriptions.customer_ref IS 'the customer at Stripe'`,
];

/** A draft is the invoice of an open checkout. */
const invoices = [
  `CREATE TABLE invoices (
     id text COLLATE "C" PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL,
     status text NOT NULL CHECK (status IN ('draft', 'open', 'paid', 'void')),
     billing_reason text NOT NULL,
     currency text NOT NULL,
     total bigint NOT NULL,
     credit_applied bigint NOT NULL,
     amount_due bigint NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     paid_at timestamptz,
     CONSTRAINT due_is_left CHECK (amount_due >= 0 AND amount_due = greatest(total, 0) - credit_applied),
     CONSTRAINT paid_is_dated CHECK ((status = 'paid') = (paid_at IS NOT NULL))
   )`,
  `CREATE INDEX invoices_of_account ON invoices (account_id, created_at, id)`,
  `CREATE INDEX invoices_to_collect ON invoices (created_at) WHERE status = 'open'`,
  `CREATE TABLE invoice_lines (
     invoice_id text COLLATE "C" NOT NULL REFERENCES invoices,
     position integer NOT NULL,
     item text NOT NULL,
     plan text NOT NULL,
     quantity integer NOT NULL,
     unit_amount bigint NOT NULL,
     amount bigint NOT NULL,
     is_proration boolean NOT NULL,
     period_start timestamptz NOT NULL,
     period_end timestamptz NOT NULL,
     PRIMARY KEY (invoice_id, position)
   )`,
];

/**
 * `detached` is final, as it is at Stripe; the row stays, so that a late event cannot attach the method again. `event_at` is the
 * time of the newest event that was applied.
 */
const paymentMethods = [
  `CREATE TABLE payment_methods (
     id text COLLATE "C" PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL,
     provider text NOT NULL CHECK (provider IN ('manual', 'stripe')),
     provider_ref text UNIQUE,
     status text NOT NULL DEFAULT 'attached' CHECK (status IN ('attached', 'detaching', 'detached')),
     type text NOT NULL,
     label text,
     brand text,
     last4 text,
     exp_month integer,
     exp_year integer,
     event_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX payment_methods_of_account ON payment_methods (account_id, created_at, id) WHERE status = 'attached'`,
  `CREATE INDEX payment_methods_to_detach ON payment_methods (id) WHERE status = 'detaching'`,
];

/**
 * Attempts to collect invoices. The unique index admits one at a time, and none after a success. `late`: one that was given up
 * as failed and succeeded after all. `asked_at`: when the provider was last asked.
 */
const payments = [
  `CREATE TABLE payments (
     id text COLLATE "C" PRIMARY KEY,
     invoice_id text COLLATE "C" NOT NULL REFERENCES invoices,
     account_id text COLLATE "C" NOT NULL,
     provider text NOT NULL,
     payment_method_id text,
     status text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed', 'late')),
     provider_ref text,
     failure_code text,
     created_at timestamptz NOT NULL DEFAULT now(),
     asked_at timestamptz NOT NULL DEFAULT now(),
     decided_at timestamptz,
     CONSTRAINT decided_is_dated CHECK ((status = 'pending') = (decided_at IS NULL))
   )`,
  `CREATE UNIQUE INDEX payments_one_per_invoice ON payments (invoice_id) WHERE status IN ('pending', 'succeeded')`,
  `CREATE INDEX payments_to_finish ON payments (asked_at) WHERE status = 'pending'`,
  `CREATE INDEX payments_of_invoice ON payments (invoice_id, created_at)`,
];

/** `version` of a checkout: that of the subscription that its invoice was calculated for. */
const providers = [
  `CREATE TABLE checkouts (
     id text COLLATE "C" PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL,
     invoice_id text COLLATE "C" NOT NULL REFERENCES invoices,
     status text NOT NULL CHECK (status IN ('open', 'complete', 'expired')),
     plan text NOT NULL,
     seats integer NOT NULL,
     storage_blocks integer NOT NULL,
     bandwidth_blocks integer NOT NULL,
     version bigint NOT NULL,
     as_of timestamptz NOT NULL,
     expires_at timestamptz NOT NULL
   )`,
  `CREATE INDEX checkouts_to_expire ON checkouts (expires_at) WHERE status = 'open'`,
  `CREATE TABLE provider_events (
     provider text NOT NULL,
     id text COLLATE "C" NOT NULL,
     type text NOT NULL,
     occurred_at timestamptz NOT NULL,
     received_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (provider, id)
   )`,
  `CREATE INDEX provider_events_to_forget ON provider_events (received_at)`,
  `CREATE TABLE store_purchases (
     store text NOT NULL,
     original_id text COLLATE "C" NOT NULL,
     account_id text COLLATE "C" NOT NULL,
     product_id text NOT NULL,
     expires_at timestamptz NOT NULL,
     PRIMARY KEY (store, original_id)
   )`,
];
