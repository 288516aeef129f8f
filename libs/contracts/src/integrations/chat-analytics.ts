import { Example } from '../core/example.js';
import { Flag, Int, ListOf, Nested, OneOf, Pattern, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const DateField = (description: string) =>
  Pattern(DATE, { optional: true, max: 10, says: 'a date YYYY-MM-DD', description });

/** Query of `readChatAnalytics`. Days are of UTC. */
export class ChatAnalyticsQuery {
  @DateField('First day; 30 days before the last one by default.') start_date?: string;
  @DateField('Last day; today by default.') end_date?: string;
  @DateField('One day, summed up by person. It takes precedence over a range.') date?: string;
}

/** The secrets of one person on one day. */
export class ChatUsageRecord {
  @Text({ max: 10 }) date: string;
  @Text({ max: 64, description: 'The id of the person at the chat platform.' })
  slack_user_id: string;
  @Text({ max: 255 }) username: string;
  @Int({ min: 0 }) sparks_created: number;
  @Int({ min: 0 }) sparks_read: number;
}

/** Sums of the records of a range. */
export class ChatUsageTotals {
  @Int({ min: 0 }) sparks_created: number;
  @Int({ min: 0 }) sparks_read: number;
}

/** The connected workspace; null for each fact before it is connected. */
export class ChatWorkspace {
  @Text({ max: 128, nullable: true }) team_id: string | null;
  @Text({ max: 255, nullable: true }) team_name: string | null;
  @Text({ max: 32, description: 'ISO 8601, unlike other times of this API.' }) installed_at: string;
}

/** A person of a daily summary. */
export class ChatUser {
  @Text({ max: 64 }) slack_user_id: string;
  @Text({ max: 255 }) username: string;
  @Int({ min: 0 }) sparks_created: number;
  @Int({ min: 0 }) sparks_read: number;
}

/** `usage_records`: records, truncated, totals and installation. `daily_summary`: date, totals of the day and users. */
@Example({
  records: [
    { date: '2026-11-25', slack_user_id: 'U2147483697', username: 'ana', sparks_created: 3, sparks_read: 2 },
  ],
  truncated: false,
  totals: { sparks_created: 3, sparks_read: 2 },
  installation: { team_id: 'T1DC2JH3J', team_name: 'Example Ltd.', installed_at: '2026-11-24T08:15:00.000Z' },
})
export class ChatAnalyticsData {
  @ListOf(() => ChatUsageRecord, { optional: true }) records?: ChatUsageRecord[];
  @Flag({ optional: true, description: 'The range has more records than are read; totals are then partial.' })
  truncated?: boolean;
  @Nested(() => ChatUsageTotals, { optional: true }) totals?: ChatUsageTotals;
  @Nested(() => ChatWorkspace, { optional: true }) installation?: ChatWorkspace;
  @Text({ max: 10, optional: true }) date?: string;
  @Int({ min: 0, optional: true }) total_sparks_created?: number;
  @Int({ min: 0, optional: true }) total_sparks_read?: number;
  @ListOf(() => ChatUser, { optional: true, description: 'Most created first.' }) users?: ChatUser[];
}

/** Usage of the chat app: of a range by person and day, or of one day by person. */
export class ChatAnalytics {
  @OneOf(['usage_records', 'daily_summary']) type: 'usage_records' | 'daily_summary';
  @Nested(() => ChatAnalyticsData) data: ChatAnalyticsData;
}

/** Reads the usage of the chat app (CHT-05 to 11). VALIDATION_ERROR if it is not installed. */
export const readChatAnalytics = operation({
  name: 'integrations.read-chat-analytics',
  summary: 'Reads how many secrets were sent and viewed in the chat, by person and day.',
  http: { method: 'GET', path: '/v1/apps/chatapp/analytics', status: 200 },
  access: { credential: 'key' },
  query: ChatAnalyticsQuery,
  reply: ChatAnalytics,
  repeatable: true,
});
