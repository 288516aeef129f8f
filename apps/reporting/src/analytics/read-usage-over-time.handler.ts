import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { readUsageOverTime, type UsageOverTime, type UsagePoint } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import { UsageCounterRepository, type Bucket } from './usage-counter.repository.js';
import { isoOf, usagePeriodOf, usageWindow } from './windows.js';

@Controller()
export class ReadUsageOverTime {
  constructor(private readonly counters: UsageCounterRepository) {}

  @Handles(readUsageOverTime)
  async handle(
    { query }: Input<typeof readUsageOverTime>,
    { credential }: AccountContext,
  ): Promise<UsageOverTime> {
    const period = usagePeriodOf(query.period);
    const window = usageWindow(period, Date.now());
    const { granularity, firstHour, lastHour, hoursOfBucket } = window;
    const used = await this.counters.buckets(credential.accountId, [firstHour, lastHour], hoursOfBucket);
    const byBucket = new Map(used.map((bucket) => [bucket.bucket, bucket]));
    return {
      period,
      metric: query.metric ?? 'operations',
      granularity,
      granularity_label: period === 'day' ? 'hourly' : 'daily',
      start_time: window.start,
      end_time: window.end,
      data_points: window.buckets.map((bucket) => pointOf(bucket * granularity, byBucket.get(bucket))),
    };
  }
}

function pointOf(timestamp: number, counts: Bucket | undefined): UsagePoint {
  return {
    timestamp,
    datetime: isoOf(timestamp),
    operations: counts?.operations ?? 0,
    sparks_created: counts?.sparksCreated ?? 0,
    vaults_created: counts?.vaultsCreated ?? 0,
    ingots_created: counts?.ingotsCreated ?? 0,
  };
}
