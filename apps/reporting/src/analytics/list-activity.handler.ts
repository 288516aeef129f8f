import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { ACTIVITY_MAX, listActivity, type Activity, type ActivityEvent } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import { ActivityRepository, type ActivityRow } from './activity.repository.js';
import { ledgerTypeOf, presentationOf } from './activity-types.js';
import { isoOf, wholeNumber } from './windows.js';

const LIMIT_DEFAULT = 50;
/** Whatever period is requested (RPT-14). */
const WINDOW_MS = 24 * 3_600_000;

@Controller()
export class ListActivity {
  constructor(private readonly activity: ActivityRepository) {}

  @Handles(listActivity)
  async handle({ query }: Input<typeof listActivity>, { credential }: AccountContext): Promise<Activity> {
    const { event_type: filter = null, period = 'day' } = query;
    const type = filter === null ? null : ledgerTypeOf(filter);
    const nowMs = Date.now();
    const window = { sinceMs: nowMs - WINDOW_MS, nowMs };
    const rows =
      type === undefined
        ? []
        : await this.activity.list(credential.accountId, { ...window, type, limit: limitOf(query.limit) });
    return { events: rows.map(eventOf), count: rows.length, period, filtered_by: filter };
  }
}

/** More than the maximum is the maximum; what is not a whole number above 0 is the default (RPT-12). */
function limitOf(limit: string | undefined): number {
  return Math.min(wholeNumber(limit) ?? LIMIT_DEFAULT, ACTIVITY_MAX);
}

function eventOf({ event_id, type, reference_id, vault_id, created_at }: ActivityRow): ActivityEvent {
  return {
    event_id,
    ...presentationOf(type),
    reference_id,
    vault_id,
    timestamp: created_at,
    datetime: isoOf(created_at),
  };
}
