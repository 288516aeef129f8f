import { Controller } from '@nestjs/common';
import { validationError, type AccountContext, type Input } from '@vaultsvc/contracts';
import {
  readChatAnalytics,
  type ChatAnalytics,
  type ChatAnalyticsQuery,
  type ChatUsageRecord,
} from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { IntegrationsConfig } from '../config.js';
import { InstallationRepository, type Installation } from '../installations/installation.repository.js';
import { ChatUsageRepository } from './chat-usage.repository.js';

const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;

@Controller()
export class ReadChatAnalytics {
  constructor(
    private readonly config: IntegrationsConfig,
    private readonly installations: InstallationRepository,
    private readonly usage: ChatUsageRepository,
  ) {}

  @Handles(readChatAnalytics)
  async handle(
    { query }: Input<typeof readChatAnalytics>,
    { credential: { accountId } }: AccountContext,
  ): Promise<ChatAnalytics> {
    const installation = await this.installations.find(accountId, 'chatapp');
    if (!installation) throw validationError({ field: 'app_id', message: 'the chat app is not installed' });
    if (query.date !== undefined) return this.#day(accountId, realDate('date', query.date));
    return this.#range(installation, rangeOf(query));
  }

  async #range(
    installation: Installation,
    { from, to }: { from: string; to: string },
  ): Promise<ChatAnalytics> {
    const cap = this.config.CHAT_ANALYTICS_ROWS_MAX;
    const found = await this.usage.records(installation.accountId, from, to, cap + 1);
    const records = found.slice(0, cap);
    return {
      type: 'usage_records',
      data: {
        records,
        truncated: found.length > cap,
        totals: { sparks_created: sum(records, 'sparks_created'), sparks_read: sum(records, 'sparks_read') },
        installation: {
          team_id: installation.remoteId,
          team_name: installation.remote?.name ?? null,
          installed_at: new Date(installation.installedAt * 1_000).toISOString(),
        },
      },
    };
  }

  async #day(accountId: string, date: string): Promise<ChatAnalytics> {
    const records = await this.usage.day(accountId, date);
    return {
      type: 'daily_summary',
      data: {
        date,
        total_sparks_created: sum(records, 'sparks_created'),
        total_sparks_read: sum(records, 'sparks_read'),
        users: records.map(({ date: _, ...user }) => user),
      },
    };
  }
}

function sum(records: readonly ChatUsageRecord[], field: 'sparks_created' | 'sparks_read'): number {
  return records.reduce((total, record) => total + record[field], 0);
}

/** The last 30 days by default; a start without an end lasts until today (OPEN-40). */
function rangeOf({ start_date: start, end_date: end }: ChatAnalyticsQuery): { from: string; to: string } {
  const to = end === undefined ? dateOf(Date.now()) : realDate('end_date', end);
  const from =
    start === undefined
      ? dateOf(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS)
      : realDate('start_date', start);
  if (from > to) throw validationError({ field: 'start_date', message: 'must not be after end_date' });
  return { from, to };
}

/** Throws VALIDATION_ERROR for a day that its month does not have. */
function realDate(field: string, text: string): string {
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(ms) || dateOf(ms) !== text)
    throw validationError({ field, message: 'must be a date of the calendar, YYYY-MM-DD' });
  return text;
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
