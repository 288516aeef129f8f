import { exampleId } from '../core/example-values.js';
import { Example } from '../core/example.js';
import { EpochSeconds, IdOf, Int, ListOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { ANALYTICS_TEXT_MAX, AnalyticsText } from '../core/analytics-query.js';

/** Most events of `listActivity` (RPT-12). */
export const ACTIVITY_MAX = 200;

/** Query of `listActivity`. */
export class ActivityQuery {
  @AnalyticsText('1 to 200; more means 200, any other value 50.') limit?: string;
  @Text({ max: 100, optional: true, description: 'Only events of exactly this type.' }) event_type?: string;
  @AnalyticsText('Is returned; the window is always the last 24 hours. Default: day.') period?: string;
}

/** What happened in the account (RPT-16). */
@Example({
  event_id: '01a2137f-587f-73d1-bab6-e9abe32a5d9e',
  event_type: 'spark_created',
  description: 'Spark created',
  icon: 'spark',
  reference_id: exampleId('spk'),
  vault_id: null,
  datetime: '2026-11-25T09:46:40Z',
})
export class ActivityEvent {
  @Text({ max: 36 }) event_id: string;
  @Text({ max: 40, description: 'For example spark_created or sparklink_create.' }) event_type: string;
  @Text({ max: 100 }) description: string;
  @Text({
    max: 20,
    description: 'The name of an icon: spark, link, vault, key, folder, file, table, random.',
  })
  icon: string;
  @Text({ max: 64, nullable: true, description: 'The Spark, vault, ingot or other resource.' })
  reference_id: string | null;
  @IdOf('vlt', { nullable: true }) vault_id: string | null;
  @EpochSeconds() timestamp: number;
  @Text({ max: 24, description: 'The same in ISO 8601.' }) datetime: string;
}

/** The activity of the last 24 hours. */
@Example({ period: 'day', filtered_by: null })
export class Activity {
  @ListOf(() => ActivityEvent, { max: ACTIVITY_MAX, description: 'Newest first.' }) events: ActivityEvent[];
  @Int({ min: 0, max: ACTIVITY_MAX, description: 'The number of the listed events.' }) count: number;
  @Text({ max: ANALYTICS_TEXT_MAX, raw: true, description: 'As requested.' }) period: string;
  @Text({ max: 100, nullable: true, description: 'event_type as requested; null without one.' })
  filtered_by: string | null;
}

/**
 * Lists what happened in the account in the last 24 hours, newest first, as the usage ledger records it (RPT-12 to RPT-17).
 * An event appears soon after its call was answered.
 */
export const listActivity = operation({
  name: 'reporting.list-activity',
  summary: 'Lists what happened in the account in the last 24 hours, newest first.',
  http: { method: 'GET', path: '/v1/analytics/activity', status: 200 },
  access: { credential: 'key' },
  query: ActivityQuery,
  reply: Activity,
  repeatable: true,
});
