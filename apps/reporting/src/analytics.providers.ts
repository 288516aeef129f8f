import { ActivityRepository } from './analytics/activity.repository.js';
import { ListActivity } from './analytics/list-activity.handler.js';
import { ReadAnalyticsOverview } from './analytics/read-analytics-overview.handler.js';
import { ReadBandwidth } from './analytics/read-bandwidth.handler.js';
import { ReadSparkActivity } from './analytics/read-spark-activity.handler.js';
import { ReadUsageOverTime } from './analytics/read-usage-over-time.handler.js';
import { UsageCounterRepository } from './analytics/usage-counter.repository.js';

export const analyticsHandlers = [
  ReadAnalyticsOverview,
  ReadUsageOverTime,
  ListActivity,
  ReadSparkActivity,
  ReadBandwidth,
];

export const analyticsProviders = [UsageCounterRepository, ActivityRepository];
