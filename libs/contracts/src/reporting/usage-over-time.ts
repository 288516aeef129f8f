import { Example } from '../core/example.js';
import { EpochSeconds, Int, ListOf, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { ANALYTICS_TEXT_MAX, AnalyticsText } from '../core/analytics-query.js';

/** The periods of `readUsageOverTime` (RPT-08). */
export const usagePeriods = ['day', 'week', 'month', 'bimonth', 'quarter'] as const;
export type UsagePeriod = (typeof usagePeriods)[number];

/** Query of `readUsageOverTime`. */
export class UsageOverTimeQuery {
  @AnalyticsText(
    'day (by hour), week, month, bimonth (60 days) or quarter (90 days, all by UTC day); any other value means month.',
  )
  period?: string;
  @AnalyticsText('Is returned and filters nothing. Default: operations.') metric?: string;
}

/** The counts of one hour or one UTC day. */
@Example({
  timestamp: 1_795_564_800,
  datetime: '2026-11-25T00:00:00Z',
  operations: 12,
  sparks_created: 4,
  vaults_created: 0,
  ingots_created: 1,
})
export class UsagePoint {
  @EpochSeconds({ description: 'The start of the hour or day.' }) timestamp: number;
  @Text({ max: 24, description: 'The same in ISO 8601.' }) datetime: string;
  @Int({ min: 0 }) operations: number;
  @Int({ min: 0 }) sparks_created: number;
  @Int({ min: 0 }) vaults_created: number;
  @Int({ min: 0, description: 'Files whose upload was opened, and structured ingots.' })
  ingots_created: number;
}

/** The counts of a period in hours or days. */
@Example({ period: 'month', metric: 'operations', granularity: 86_400, granularity_label: 'daily' })
export class UsageOverTime {
  @OneOf(usagePeriods, { description: 'The period that is shown.' }) period: UsagePeriod;
  @Text({ max: ANALYTICS_TEXT_MAX, raw: true, description: 'As requested.' }) metric: string;
  @Int({ description: 'Seconds of one data point: 3600 or 86400.' }) granularity: number;
  @OneOf(['hourly', 'daily']) granularity_label: 'hourly' | 'daily';
  @EpochSeconds() start_time: number;
  @EpochSeconds({ description: 'Now.' }) end_time: number;
  @ListOf(() => UsagePoint, { max: 100 }) data_points: UsagePoint[];
}

/**
 * Reads the counts of the account over time, oldest first, hours or days without usage included. The first and the last data
 * point are those that contain start_time and end_time, so they are partial (RPT-08 to RPT-11, RPT-34). Counts are kept by
 * whole UTC hours.
 */
export const readUsageOverTime = operation({
  name: 'reporting.read-usage-over-time',
  summary: 'Reads how many operations, Sparks, vaults and ingots there were in each hour or day of a period.',
  http: { method: 'GET', path: '/v1/analytics/usage-over-time', status: 200 },
  access: { credential: 'key' },
  query: UsageOverTimeQuery,
  reply: UsageOverTime,
  repeatable: true,
});
