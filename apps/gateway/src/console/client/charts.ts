import type { BandwidthByDay, UsageOverTime, UsagePoint } from '@vaultsvc/contracts/reporting';
import { element } from '../../page-client/elements.js';
import { sizeText } from '../../page-client/format.js';
import { dailyChart } from './chart.js';
import { Panel } from './panel.js';
import type { Session } from './session.js';
import { compactText, countText } from './texts.js';

const DAYS = 'The last 30 days, by UTC day.';

/** Operations and new Sparks of the last 30 days. */
export function usagePanel(session: Session): Panel<UsageOverTime> {
  return new Panel({
    id: 'usage',
    title: 'Operations and Sparks',
    hint: DAYS,
    height: '17rem',
    read: async () =>
      (await session.client.GET('/v1/analytics/usage-over-time', { params: { query: { period: 'month' } } }))
        .data,
    show: ({ data_points: points }) => [
      element(
        'div',
        { class: 'cards' },
        dailyChart({
          ...countsOf(points, 'operations'),
          id: 'operations',
          title: 'Operations',
          empty: 'No operations in the last 30 days.',
        }),
        dailyChart({
          ...countsOf(points, 'sparks_created'),
          id: 'sparks',
          title: 'Sparks created',
          empty: 'No Spark was created in the last 30 days.',
        }),
      ),
    ],
  });
}

/** Transferred bytes of the last 30 days. */
export function bandwidthPanel(session: Session): Panel<BandwidthByDay> {
  return new Panel({
    id: 'bandwidth',
    title: 'Bandwidth',
    hint: DAYS,
    height: '17rem',
    read: async () => (await session.client.GET('/v1/usage/bandwidth')).data,
    show: ({ days, total_bytes: total }) => [
      element(
        'div',
        { class: 'cards' },
        dailyChart({
          id: 'transferred',
          title: 'Bytes transferred',
          total: sizeText(total),
          days: days.map(({ timestamp, bytes }) => ({ timestamp, value: bytes })),
          valueText: sizeText,
          // The axis is too narrow for “bytes”.
          axisText: (bytes) => sizeText(bytes).replace(/ bytes?$/, ' B'),
          empty: 'Nothing was transferred in the last 30 days.',
        }),
      ),
    ],
  });
}

function countsOf(points: readonly UsagePoint[], count: 'operations' | 'sparks_created') {
  const days = points.map(({ timestamp, [count]: value }) => ({ timestamp, value }));
  const sum = days.reduce((total, { value }) => total + value, 0);
  return { total: countText(sum), days, valueText: countText, axisText: compactText };
}
