import { bool, form, id, int, is, orNull, text, time, url } from './notation.js';
import { law } from './row.js';
import { flag, may, must, oneOf, range, refused, words } from './rules.js';

// The texts name the routes; the shapes are ours (OPEN-31), described in docs/billing.md.

const money = { amount: int, currency: form(/^[a-z]{3}$/) };

const subscription = {
  status: is('active', 'past_due', 'canceled'),
  biller: is('manual', 'stripe', 'apple', 'google'),
  plan: text,
  seats: int,
  storage_blocks: int,
  bandwidth_blocks: int,
  allowance: { storage_bytes: int, bandwidth_bytes: int, seats: int },
  price: money,
  credit_balance: money,
  current_period_start: time,
  current_period_end: time,
  cancel_at_period_end: bool,
  version: int,
};

const line = {
  item: is('plan', 'seat', 'storage_block', 'bandwidth_block'),
  plan: text,
  quantity: int,
  unit_price: money,
  amount: money,
  proration: bool,
  period_start: time,
  period_end: time,
};

export const invoice = {
  invoice_id: orNull(id('in')), // null in a preview
  status: is('draft', 'open', 'paid', 'void'),
  billing_reason: is('subscription_create', 'subscription_update', 'subscription_cycle'),
  lines: [line] as const,
  total: money,
  credit_applied: money,
  amount_due: money,
  created_at: time,
  paid_at: orNull(time),
};

const change = { subscription, invoice: orNull(invoice) };
/** Mutations are for admins and owners (OPEN-31). */
export const mutation = { role: 'admin', status: 200 } as const;
export const creation = { role: 'admin', status: 201 } as const;
export const conflict = ['409 CONFLICT'] as const;

const amounts = {
  seats: may(range(0, 10_000), 0),
  storage_blocks: may(range(0, 1_000), 0),
  bandwidth_blocks: may(range(0, 1_000), 0),
};
const adjustment = {
  plan: may(words),
  seats: may(range(0, 10_000)),
  storage_blocks: may(range(0, 1_000)),
  bandwidth_blocks: may(range(0, 1_000)),
  cancel_at_period_end: may(flag),
  version: refused(may(range(1))),
  as_of: refused(may(range(0))),
};

export const subscriptions = law({
  'GET /v1/billing/subscription': { law: 'BIL-01 OPEN-31', status: 200, data: subscription },
  'POST /v1/billing/subscription': {
    law: 'BIL-01 OPEN-02 OPEN-04 OPEN-31',
    ...creation,
    body: { plan: must(words), ...amounts },
    data: change,
    errors: conflict,
  },
  'POST /v1/billing/subscription/adjust': {
    law: 'BIL-02 OPEN-02 OPEN-31',
    ...mutation,
    body: adjustment,
    data: change,
    errors: conflict,
  },
  'POST /v1/billing/subscription/adjust/preview': {
    law: 'BIL-02 OPEN-02 OPEN-31',
    ...mutation, // it changes nothing, and answers what only admins can do
    body: adjustment,
    data: { ...change, version: int, as_of: time },
    errors: conflict,
  },
  'POST /v1/billing/seats/bulk': {
    law: 'BIL-12 OPEN-02 OPEN-31',
    ...mutation,
    body: { add: may(range(1, 10_000)), set: refused(may(range(0, 10_000))) },
    data: change,
    errors: conflict,
  },
  'POST /v1/billing/checkout': {
    law: 'BIL-08 OPEN-02 OPEN-31',
    ...creation,
    body: { plan: must(words), ...amounts },
    data: {
      checkout_id: id('cs'),
      status: is('open', 'complete'),
      provider: is('manual', 'stripe'),
      url: orNull(url),
      expires_at: orNull(time),
      ...change,
    },
    errors: conflict,
  },
  'POST /v1/billing/iap/validate': {
    law: 'BIL-11 OPEN-02 OPEN-31',
    ...mutation,
    body: { store: must(oneOf('apple', 'google')), receipt: must(words) },
    off: '409 CONFLICT', // no store is configured
    data: { store: is('apple', 'google'), product_id: text, expires_at: time, subscription },
    errors: conflict,
  },
});
