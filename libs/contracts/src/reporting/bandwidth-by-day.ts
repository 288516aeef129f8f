import { Example } from '../core/example.js';
import { EpochSeconds, Int, ListOf } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** The bandwidth of one UTC day. */
@Example({ timestamp: 1_795_564_800, bytes: 2_965_806 })
export class BandwidthDay {
  @EpochSeconds({ description: 'The start of the day.' }) timestamp: number;
  @Int({ min: 0, description: 'Bytes that were drawn from the bandwidth pool.' }) bytes: number;
}

/** The bandwidth of the last 30 days. */
@Example({ total_bytes: 2_965_806 })
export class BandwidthByDay {
  @ListOf(() => BandwidthDay, {
    max: 31,
    description: 'Oldest first; the first and the last day are partial, days without usage are included.',
  })
  days: BandwidthDay[];
  @Int({ min: 0, description: 'The sum of the days.' }) total_bytes: number;
}

/**
 * Reads the bandwidth of each of the last 30 days, in the days of usage-over-time, whose data points have no bytes (RPT-11).
 * Bytes are counted by whole UTC hours, soon after the call or the transfer.
 */
export const readBandwidth = operation({
  name: 'reporting.read-bandwidth',
  summary: 'Reads how many bytes were drawn from the bandwidth pool on each of the last 30 days.',
  http: { method: 'GET', path: '/v1/usage/bandwidth', status: 200 },
  access: { credential: 'key' },
  reply: BandwidthByDay,
  repeatable: true,
});
