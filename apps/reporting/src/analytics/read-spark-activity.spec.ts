import { describe, expect, it } from '@jest/globals';
import { readSparkActivity } from '@vaultsvc/contracts/reporting';
import { AnalyticsAccount, withinOneHour } from '../testing/analytics.js';
import { usePlatform } from '../testing/platform.js';
import { dateOf } from './windows.js';

const platform = usePlatform();
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const sparkActivity = (account: AnalyticsAccount, days?: string) =>
  account.call(readSparkActivity, { query: { days } });

describe('the activity of Sparks', () => {
  it('RPT-19 RPT-20 RPT-22: is by hour for one day, the current hour being the last', () =>
    withinOneHour(async (now) => {
      const account = new AnalyticsAccount(platform);
      await account.record([account.sparkCreated()], now);
      await account.record([account.sparkCreated(), account.sparkCreated()], now - 23 * HOUR_MS);
      await account.record([account.sparkCreated()], now - 24 * HOUR_MS);
      const counts: number[] = [2, ...Array<number>(22).fill(0), 1];
      expect(await sparkActivity(account, '1')).toEqual({
        days: 1,
        type: 'hourly',
        total_sparks: 3,
        hourly_activity: counts.map((count, hour) => ({ hour, count })),
      });
    }));

  it('RPT-19 RPT-21 RPT-22: is by UTC day for several days, today in addition', () =>
    withinOneHour(async (now) => {
      const account = new AnalyticsAccount(platform);
      const today = Math.floor(now / DAY_MS);
      await account.record([account.sparkCreated()], now);
      await account.record([account.sparkCreated(), account.sparkCreated()], (today - 7) * DAY_MS);
      await account.record([account.sparkCreated()], (today - 7) * DAY_MS - 1);
      const shown = await sparkActivity(account, '7');
      expect(shown).toMatchObject({ days: 7, type: 'daily', total_sparks: 3 });
      expect(shown).toMatchObject({ start_date: dateOf(today - 7), end_date: dateOf(today) });
      expect(shown).not.toHaveProperty('hourly_activity');
      expect(shown.daily_activity).toEqual(
        [2, 0, 0, 0, 0, 0, 0, 1].map((count, day) => ({ date: dateOf(today - 7 + day), count })),
      );
    }));

  it('RPT-18: falls back to 7 days', async () => {
    const account = new AnalyticsAccount(platform);
    for (const days of [undefined, '0', '366', 'x', '-1', '1.0', '\0'])
      expect(await sparkActivity(account, days)).toMatchObject({ days: 7, type: 'daily', total_sparks: 0 });
    expect((await sparkActivity(account, '365')).daily_activity).toHaveLength(366);
  });
});
