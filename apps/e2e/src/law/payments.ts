import { conflict, creation, invoice, mutation } from './billing.js';
import { bool, id, int, is, orNull, page, text, time, url } from './notation.js';
import { law } from './row.js';
import { cursor, may, must, oneOf, range, refused, words } from './rules.js';

const paymentMethod = {
  payment_method_id: id('pm'),
  provider: is('manual', 'stripe'),
  type: text,
  label: orNull(text),
  brand: orNull(text),
  last4: orNull(text),
  exp_month: orNull(int),
  exp_year: orNull(int),
  is_default: bool,
  created_at: time,
};

export const payments = law({
  'GET /v1/billing/invoices': {
    law: 'BIL-07 OPEN-31',
    status: 200,
    query: {
      status: may(oneOf('draft', 'open', 'paid', 'void')),
      limit: may(range(1, 100), 50),
      cursor: may(cursor),
    },
    data: page('invoices', invoice),
  },
  'POST /v1/billing/charge': {
    law: 'BIL-10 OPEN-02 OPEN-65',
    ...mutation,
    body: { invoice_id: must(words) },
    data: invoice,
    errors: ['404 NOT_FOUND', '409 CONFLICT'],
  },
  'GET /v1/billing/payment-methods': {
    law: 'BIL-03 OPEN-31',
    status: 200,
    data: { payment_methods: [paymentMethod] },
  },
  'POST /v1/billing/payment-methods': {
    law: 'BIL-03 OPEN-02 OPEN-31',
    ...creation,
    body: { token: refused(may(words)), label: may(words) },
    data: paymentMethod,
    errors: conflict,
  },
  'POST /v1/billing/payment-methods/setup': {
    law: 'BIL-04 OPEN-02 OPEN-31',
    ...creation,
    data: { provider: is('manual', 'stripe'), client_secret: orNull(text), publishable_key: orNull(text) },
    errors: conflict,
  },
  'DELETE /v1/billing/payment-methods/{payment_method_id}': {
    law: 'BIL-05 OPEN-31',
    role: 'admin',
    status: 204,
  },
  'PUT /v1/billing/payment-methods/{payment_method_id}/default': {
    law: 'BIL-06 OPEN-31',
    ...mutation,
    data: paymentMethod,
  },
  'POST /v1/billing/portal': {
    law: 'BIL-09 OPEN-02 OPEN-31',
    ...creation,
    data: { provider: is('manual', 'stripe'), url: orNull(url) },
    errors: conflict,
  },
  'POST /v1/billing/webhooks/stripe': {
    law: 'OPEN-31 OPEN-38',
    by: 'provider',
    status: 200,
    data: { received: is(true) },
  },
});
