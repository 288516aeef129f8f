import { Example } from '../core/example.js';
import { Int, ListOf, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { AnalyticsText } from '../core/analytics-query.js';

/** Most days of `readSparkActivity` (RPT-18). */
export const SPARK_ACTIVITY_DAYS_MAX = 365;

/** Query of `readSparkActivity`. */
export class SparkActivityQuery {
  @AnalyticsText('1 to 365; any other value means 7.') days?: string;
}

/** The Sparks created in one hour. */
export class SparkHour {
  @Int({ min: 0, max: 23, description: '23 is the current UTC hour, 0 the one 23 hours before.' })
  hour: number;
  @Int({ min: 0 }) count: number;
}

/** The Sparks created on one UTC day. */
export class SparkDay {
  @Text({ max: 10, description: 'YYYY-MM-DD.' }) date: string;
  @Int({ min: 0 }) count: number;
}

/** The Sparks created in each hour or day. */
@Example({
  days: 7,
  type: 'daily',
  total_sparks: 9,
  daily_activity: [0, 2, 0, 0, 3, 0, 0, 4].map((count, day) => ({ date: `2026-11-${18 + day}`, count })),
  start_date: '2026-11-18',
  end_date: '2026-11-25',
})
export class SparkActivity {
  @Int({ min: 1, max: SPARK_ACTIVITY_DAYS_MAX }) days: number;
  @OneOf(['hourly', 'daily'], { description: 'hourly if days is 1.' }) type: 'hourly' | 'daily';
  @Int({ min: 0, description: 'The sum of the counts.' }) total_sparks: number;
  @ListOf(() => SparkHour, { optional: true, max: 24 }) hourly_activity?: SparkHour[];
  @ListOf(() => SparkDay, {
    optional: true,
    max: SPARK_ACTIVITY_DAYS_MAX + 1,
    description: 'Oldest first; today is the last day, in addition to the requested ones.',
  })
  daily_activity?: SparkDay[];
  @Text({ optional: true, max: 10, description: 'Daily only: the first date.' }) start_date?: string;
  @Text({ optional: true, max: 10, description: 'Daily only: the last date, today in UTC.' })
  end_date?: string;
}

/** Reads how many Sparks the account created in each of the last 24 hours, or on each of the last days (RPT-18 to RPT-22). */
export const readSparkActivity = operation({
  name: 'reporting.read-spark-activity',
  summary: 'Reads how many Sparks were created in each hour or on each day.',
  http: { method: 'GET', path: '/v1/analytics/spark-activity', status: 200 },
  access: { credential: 'key' },
  query: SparkActivityQuery,
  reply: SparkActivity,
  repeatable: true,
});
