import { Example } from '../core/example.js';
import { Decimal, EpochSeconds, Int, Nested, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { ANALYTICS_TEXT_MAX, AnalyticsText } from '../core/analytics-query.js';

/** Query of `readAnalyticsOverview`. */
export class AnalyticsOverviewQuery {
  @AnalyticsText('day, week, month (30 days) or quarter (90 days); any other value means 30 days.')
  period?: string;
}

/** The Sparks of an account. */
@Example({ total: 120, active: 8, burned: 109, expired: 3, created_this_period: 45, rate_per_day: 1.5 })
export class SparkFigures {
  @Int({ min: 0, description: 'All that were ever created.' }) total: number;
  @Int({ min: 0, description: 'Those that can be read now.' }) active: number;
  @Int({ min: 0, description: 'Those that were read.' }) burned: number;
  @Int({ min: 0, description: 'Those that expired unread.' }) expired: number;
  @Int({ min: 0 }) created_this_period: number;
  @Decimal({ min: 0, description: 'created_this_period divided by period_days, with two decimals.' })
  rate_per_day: number;
}

/** The vaults of an account. */
@Example({ total: 4, active: 3, created_this_period: 1, rate_per_day: 0.03 })
export class VaultFigures {
  @Int({ min: 0, description: 'All that were ever created.' }) total: number;
  @Int({ min: 0, description: 'Those that were not deleted.' }) active: number;
  @Int({ min: 0 }) created_this_period: number;
  @Decimal({ min: 0, description: 'created_this_period divided by period_days, with two decimals.' })
  rate_per_day: number;
}

/** The ingots of an account that have content, structured ones included. A MB is 1024 KB, a GB 1024 MB. */
@Example({ total: 12, storage_bytes: 48_211_004, storage_mb: 45.98, storage_gb: 0.04 })
export class IngotFigures {
  @Int({ min: 0 }) total: number;
  @Int({ min: 0 }) storage_bytes: number;
  @Decimal({ min: 0, description: 'With two decimals.' }) storage_mb: number;
  @Decimal({ min: 0, description: 'With two decimals.' }) storage_gb: number;
}

/** Uploads and downloads of files, since the account exists. */
@Example({ total_access_count: 37, total_bytes: 51_904_112, total_mb: 49.5, total_gb: 0.05 })
export class TransferFigures {
  @Int({ min: 0, description: 'Downloads that have started.' }) total_access_count: number;
  @Int({ min: 0, description: 'Received and sent bytes, those of incomplete transfers included.' })
  total_bytes: number;
  @Decimal({ min: 0, description: 'With two decimals.' }) total_mb: number;
  @Decimal({ min: 0, description: 'With two decimals.' }) total_gb: number;
}

/** Operations: calls of the account that created, read or changed something, and openings of its links. */
@Example({ total_operations: 360, operations_per_day: 12 })
export class OperationFigures {
  @Int({ min: 0, description: 'In the period.' }) total_operations: number;
  @Decimal({ min: 0, description: 'With two decimals.' }) operations_per_day: number;
}

/** The figures of an account. */
@Example({ period: 'all', period_days: 30 })
export class AnalyticsOverview {
  @Text({ max: ANALYTICS_TEXT_MAX, raw: true, description: 'The period as requested; all without one.' })
  period: string;
  @EpochSeconds() period_start: number;
  @EpochSeconds({ description: 'Now.' }) period_end: number;
  @Int({ min: 1 }) period_days: number;
  @Nested(() => SparkFigures) sparks: SparkFigures;
  @Nested(() => VaultFigures) vaults: VaultFigures;
  @Nested(() => IngotFigures) ingots: IngotFigures;
  @Nested(() => TransferFigures) transfers: TransferFigures;
  @Nested(() => OperationFigures) activity: OperationFigures;
}

/**
 * Reads the figures of the account (RPT-01 to RPT-07). Figures of the period are counted by whole UTC hours, from the hour
 * that contains its start. An event is counted soon after its call was answered.
 */
export const readAnalyticsOverview = operation({
  name: 'reporting.read-analytics-overview',
  summary: 'Reads the figures of the account: Sparks, vaults, ingots, transfers and operations.',
  http: { method: 'GET', path: '/v1/analytics/overview', status: 200 },
  access: { credential: 'key' },
  query: AnalyticsOverviewQuery,
  reply: AnalyticsOverview,
  repeatable: true,
});
