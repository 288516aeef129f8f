import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { readBandwidth, type BandwidthByDay } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import { UsageCounterRepository } from './usage-counter.repository.js';
import { usageWindow } from './windows.js';

@Controller()
export class ReadBandwidth {
  constructor(private readonly counters: UsageCounterRepository) {}

  @Handles(readBandwidth)
  async handle(_: Input<typeof readBandwidth>, { credential }: AccountContext): Promise<BandwidthByDay> {
    const { granularity, firstHour, lastHour, hoursOfBucket, buckets } = usageWindow('month', Date.now());
    const used = await this.counters.buckets(credential.accountId, [firstHour, lastHour], hoursOfBucket);
    const bytesOf = new Map(used.map(({ bucket, bandwidthBytes }) => [bucket, bandwidthBytes]));
    return {
      days: buckets.map((day) => ({ timestamp: day * granularity, bytes: bytesOf.get(day) ?? 0 })),
      total_bytes: used.reduce((sum, { bandwidthBytes }) => sum + bandwidthBytes, 0),
    };
  }
}
