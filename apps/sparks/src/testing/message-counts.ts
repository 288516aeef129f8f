import { until } from '@vaultsvc/testing/waiting';
import type { Platform } from './platform.js';

/** For specs: the hour of the clock by which messages are counted. */
export function messageCountsOf({ sql }: Pick<Platform, 'sql'>) {
  return {
    /** Waits out the last seconds of an hour: a test that counts is to end in the hour in which it began. */
    awayFromTheTurn: () =>
      until(async () => {
        const [row] = await sql<{ is_away: boolean }>(
          `SELECT extract(epoch FROM clock_timestamp()) % 3600 < 3585 AS is_away`,
        );
        return row?.is_away === true;
      }),
    /** Lets an hour go by for what an account has had counted. */
    nextHour: (accountId: string) =>
      sql(`UPDATE message_counts SET hour = hour - interval '1 hour' WHERE account_id = $1`, [accountId]),
    /** When the hour is over, in epoch seconds. */
    endOfHour: () => (Math.floor(Date.now() / 3_600_000) + 1) * 3_600,
  };
}
