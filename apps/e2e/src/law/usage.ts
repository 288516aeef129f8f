import { bool, id, int, is, number, orNull, page, text, time } from './notation.js';
import { law } from './row.js';
import { cursor, flag, may, range, words } from './rules.js';

const share = { used: int, limit: int, pct: number, state: is('ok', 'notice', 'warning', 'exhausted') };

/** The members of `meta.pools` (ENV-11, ENV-12, OPEN-03). */
export const pools = {
  storage: share,
  bandwidth: { ...share, cycle_resets_at: time },
  identity: share,
};

export const usage = law({
  'GET /v1/billing/transactions': {
    law: 'RPT-31 RPT-32 OPEN-29',
    status: 200,
    query: {
      limit: may(range(1, 100), 50),
      cursor: may(cursor),
      type: may(words),
      include_aggregated: may(flag, false),
    },
    data: page('transactions', {
      transaction_id: id('txn'),
      type: text,
      resource: is('storage', 'bandwidth', 'operation'),
      quantity: int,
      unit: text,
      reference_id: orNull(text),
      vault_id: orNull(id('vlt')),
      actor_type: orNull(text), // null for visitors and jobs (OPEN-65)
      aggregated: bool,
      created_at: time,
    }),
  },
  'POST /v1/billing/aggregate': {
    law: 'BIL-13 OPEN-02 OPEN-31 RPT-32', // the shape is ours: docs/billing.md
    role: 'admin',
    status: 200,
    data: { aggregated_count: int, summary_count: int, aggregated_until: time, has_more: bool },
  },
  // Ours, without a text: docs/api, for the console.
  'GET /v1/usage/pools': { law: 'ENV-11 ENV-12', status: 200, data: pools },
  'GET /v1/usage/bandwidth': {
    law: 'OPEN-04',
    status: 200,
    data: { days: [{ timestamp: time, bytes: int }], total_bytes: int },
  },
});
