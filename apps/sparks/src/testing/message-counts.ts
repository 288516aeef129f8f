import { until } from '@vaultsvc/testing/waiting';
import type { Platform } from './platform.js';

/** For specs: controls the clock hour of message counts. */
export function messageCountsOf({ sql }: Pick<Platform, 'sql'>) {
  return {
    /** Waits past the last seconds of an hour, so that a test starts and ends in the same hour. */
    waitPastHourEnd: () =>
      until(async () => {
        const [row] = await sql<{ is_away: boolean }>(
          `SELECT extract(epoch FROM clock_timestamp()) % 3600 < 3585 AS is_away`,
        );
        return row?.is_away === true;
      }),
    /** Moves an account's counts into the previous hour. */
    nextHour: (accountId: string) =>
      sql(`UPDATE message_counts SET hour = hour - interval '1 hour' WHERE account_id = $1`, [accountId]),
    /** The end of the current hour in epoch seconds. */
    endOfHour: () => (Math.floor(Date.now() / 3_600_000) + 1) * 3_600,
  };
}
