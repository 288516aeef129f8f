import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { readAnalyticsOverview, type AnalyticsOverview } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import { UsageCounterRepository, type UsageFigures } from './usage-counter.repository.js';
import { overviewWindow, type Window } from './windows.js';

const MEBIBYTE = 1_024 ** 2;
const GIBIBYTE = 1_024 ** 3;

@Controller()
export class ReadAnalyticsOverview {
  constructor(private readonly counters: UsageCounterRepository) {}

  @Handles(readAnalyticsOverview)
  async handle(
    { query }: Input<typeof readAnalyticsOverview>,
    { credential }: AccountContext,
  ): Promise<AnalyticsOverview> {
    const window = overviewWindow(query.period, Date.now());
    const figures = await this.counters.figures(credential.accountId, window.firstHour);
    return {
      period: query.period ?? 'all',
      period_start: window.start,
      period_end: window.end,
      period_days: window.days,
      ...overviewOf(figures, window),
    };
  }
}

type Figures = Pick<AnalyticsOverview, 'sparks' | 'vaults' | 'ingots' | 'transfers' | 'activity'>;

function overviewOf(figures: UsageFigures, { days }: Window): Figures {
  const perDay = (count: number) => rounded(count / days);
  const { operations, sparksCreated, vaultsCreated, ingotBytes, transferredBytes } = figures;
  return {
    sparks: {
      total: figures.sparksTotal,
      active: figures.sparksActive,
      burned: figures.sparksBurned,
      expired: figures.sparksExpired,
      created_this_period: sparksCreated,
      rate_per_day: perDay(sparksCreated),
    },
    vaults: {
      total: figures.vaultsTotal,
      active: figures.vaultsActive,
      created_this_period: vaultsCreated,
      rate_per_day: perDay(vaultsCreated),
    },
    ingots: {
      total: figures.ingots,
      storage_bytes: ingotBytes,
      storage_mb: rounded(ingotBytes / MEBIBYTE),
      storage_gb: rounded(ingotBytes / GIBIBYTE),
    },
    transfers: {
      total_access_count: figures.downloads,
      total_bytes: transferredBytes,
      total_mb: rounded(transferredBytes / MEBIBYTE),
      total_gb: rounded(transferredBytes / GIBIBYTE),
    },
    activity: { total_operations: operations, operations_per_day: perDay(operations) },
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
