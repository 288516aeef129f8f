import { ActivityRepository } from './activity.repository.js';
import { ListActivity } from './list-activity.handler.js';
import { ReadAnalyticsOverview } from './read-analytics-overview.handler.js';
import { ReadBandwidth } from './read-bandwidth.handler.js';
import { ReadSparkActivity } from './read-spark-activity.handler.js';
import { ReadUsageOverTime } from './read-usage-over-time.handler.js';
import { UsageCounterRepository } from './usage-counter.repository.js';

export const analyticsHandlers = [
  ReadAnalyticsOverview,
  ReadUsageOverTime,
  ListActivity,
  ReadSparkActivity,
  ReadBandwidth,
];

export const analyticsProviders = [UsageCounterRepository, ActivityRepository];
