import { exampleTime } from '../core/example-values.js';
import { Example } from '../core/example.js';
import { Decimal, EpochSeconds, Int, Nested, OneOf } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** A pool, with the figures of `meta.pools` (ENV-11, OPEN-03). */
export class UsagePool {
  @Int({ min: 0, description: 'Bytes; users for the pool identity.' }) used: number;
  @Int({ min: 0, description: 'Bytes; users for the pool identity.' }) limit: number;
  @Decimal({ min: 0, description: 'used divided by limit; above 1 where more is used.' }) pct: number;
  @OneOf(['ok', 'notice', 'warning', 'exhausted'], {
    description: 'notice from 75 % of the limit, warning from 90 %, exhausted from 100 %.',
  })
  state: 'ok' | 'notice' | 'warning' | 'exhausted';
}

/** The pool of transferred bytes. */
export class BandwidthPool extends UsagePool {
  @EpochSeconds({ description: 'The end of the cycle of 30 days; used then starts at 0.' })
  cycle_resets_at: number;
}

/** The pools of an account. */
@Example({
  storage: { used: 48_211_004, limit: 1_099_511_627_776, pct: 0.00004, state: 'ok' },
  bandwidth: {
    used: 51_904_112,
    limit: 2_199_023_255_552,
    pct: 0.00002,
    state: 'ok',
    cycle_resets_at: exampleTime(30 * 86_400),
  },
  identity: { used: 2, limit: 17, pct: 0.12, state: 'ok' },
})
export class UsagePools {
  @Nested(() => UsagePool, { description: 'Reservations of incomplete uploads count as used.' })
  storage: UsagePool;
  @Nested(() => BandwidthPool) bandwidth: BandwidthPool;
  @Nested(() => UsagePool) identity: UsagePool;
}

/** Reads the pools of the account without drawing from them: `meta.pools` comes with billable calls only (ENV-10). */
export const readPools = operation({
  name: 'reporting.read-pools',
  summary: 'Reads the pools of the account: storage, bandwidth and users. The call draws from none of them.',
  http: { method: 'GET', path: '/v1/usage/pools', status: 200 },
  access: { credential: 'key' },
  reply: UsagePools,
  repeatable: true,
});
