import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { readSparkActivity, type SparkActivity } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import { UsageCounterRepository } from './usage-counter.repository.js';
import { dateOf, sparkActivityDaysOf, sparkActivityWindow } from './windows.js';

@Controller()
export class ReadSparkActivity {
  constructor(private readonly counters: UsageCounterRepository) {}

  @Handles(readSparkActivity)
  async handle(
    { query }: Input<typeof readSparkActivity>,
    { credential }: AccountContext,
  ): Promise<SparkActivity> {
    const days = sparkActivityDaysOf(query.days);
    const { firstHour, lastHour, hoursOfBucket, buckets } = sparkActivityWindow(days, Date.now());
    const used = await this.counters.buckets(credential.accountId, [firstHour, lastHour], hoursOfBucket);
    const created = new Map(used.map(({ bucket, sparksCreated }) => [bucket, sparksCreated]));
    const counts = buckets.map((bucket) => ({ bucket, count: created.get(bucket) ?? 0 }));
    const total_sparks = counts.reduce((sum, { count }) => sum + count, 0);
    return days === 1
      ? {
          days,
          type: 'hourly',
          total_sparks,
          hourly_activity: counts.map(({ count }, hour) => ({ hour, count })),
        }
      : { days, type: 'daily', total_sparks, ...daily(counts) };
  }
}

type Daily = Pick<SparkActivity, 'daily_activity' | 'start_date' | 'end_date'>;

function daily(counts: readonly { readonly bucket: number; readonly count: number }[]): Daily {
  const daily_activity = counts.map(({ bucket, count }) => ({ date: dateOf(bucket), count }));
  const [first, last] = [daily_activity.at(0), daily_activity.at(-1)];
  return { daily_activity, ...(first && last && { start_date: first.date, end_date: last.date }) };
}
