import { describe, expect, it } from '@jest/globals';
import { readUsageOverTime } from '@vaultsvc/contracts/reporting';
import { ingotCreated, vaultCreated } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { action, AnalyticsAccount, withinOneHour } from '../testing/analytics.js';
import { send } from '../testing/deliveries.js';
import { usePlatform } from '../testing/platform.js';
import { hourOf } from './windows.js';

const platform = usePlatform();
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const series = (account: AnalyticsAccount, period?: string, metric?: string) =>
  account.call(readUsageOverTime, { query: { period, metric } });

describe('the usage over time', () => {
  it('RPT-10 RPT-11: has the counts of each hour of a day, oldest first', () =>
    withinOneHour(async (now) => {
      const account = new AnalyticsAccount(platform);
      const caused = { vault_id: newId('vlt_'), account_id: account.id, ...action };
      await account.record([account.sparkCreated(), account.sparkCreated(), [vaultCreated, caused]], now);
      await account.record([[ingotCreated, { ...caused, ingot_id: newId('ing_') }]], now - HOUR_MS);
      await account.record([account.sparkCreated()], now - 23 * HOUR_MS);
      await account.record([account.sparkCreated()], now - 25 * HOUR_MS);
      const { data_points: points, ...rest } = await series(account, 'day');
      expect(rest).toEqual({
        period: 'day',
        metric: 'operations',
        granularity: 3_600,
        granularity_label: 'hourly',
        start_time: rest.end_time - 86_400,
        end_time: rest.end_time,
      });
      const timestamps = points.map(({ timestamp }) => timestamp);
      expect(timestamps).toEqual(Array.from({ length: 25 }, (_, i) => (hourOf(now) - 24 + i) * 3_600));
      expect(points.map(({ datetime }) => Date.parse(datetime) / 1_000)).toEqual(timestamps);
      const empty = { operations: 0, sparks_created: 0, vaults_created: 0, ingots_created: 0 };
      expect(points[24]).toMatchObject({ ...empty, operations: 3, sparks_created: 2, vaults_created: 1 });
      expect(points[23]).toMatchObject({ ...empty, operations: 1, ingots_created: 1 });
      expect(points[1]).toMatchObject({ ...empty, operations: 1, sparks_created: 1 });
      for (const point of [...points.slice(2, 23), points[0]]) expect(point).toMatchObject(empty);
    }));

  it('RPT-08 RPT-10: has the counts of each UTC day, events at both edges included', () =>
    withinOneHour(async (now) => {
      const account = new AnalyticsAccount(platform);
      const midnight = Math.floor(now / DAY_MS) * DAY_MS - 3 * DAY_MS;
      await account.record([account.sparkCreated()], midnight - 1);
      await account.record([account.sparkCreated(), account.sparkCreated()], midnight);
      await account.record([account.sparkCreated()], midnight + DAY_MS - 1);
      const { data_points: points, ...rest } = await series(account, 'week');
      expect(rest).toMatchObject({ granularity: 86_400, granularity_label: 'daily' });
      expect(points.map(({ sparks_created }) => sparks_created)).toEqual([0, 0, 0, 1, 3, 0, 0, 0]);
      expect(points[4]).toMatchObject({ timestamp: midnight / 1_000 });
    }));

  it('RPT-09 RPT-34: returns any metric, and the default for an unknown period', () =>
    withinOneHour(async () => {
      const account = new AnalyticsAccount(platform);
      await account.record([account.sparkCreated()]);
      const { data_points, ...usual } = await series(account);
      expect(usual).toMatchObject({ period: 'month', metric: 'operations' });
      expect(data_points).toHaveLength(31);
      const other = await series(account, 'banana', 'x');
      expect(other).toMatchObject({ period: 'month', metric: 'x', data_points });
      expect((await series(account, 'bimonth')).data_points).toHaveLength(61);
      expect((await series(account, 'quarter')).data_points).toHaveLength(91);
    }));

  it('RPT-11: counts a late and repeated event once, where it occurred', () =>
    withinOneHour(async (now) => {
      const account = new AnalyticsAccount(platform);
      const late = await account.record([account.sparkCreated()], now - 5 * HOUR_MS);
      await send(platform, ...late, ...late);
      await account.record([account.sparkCreated()], now - 5 * HOUR_MS);
      const { data_points: points } = await series(account, 'day');
      expect(points.map(({ operations }) => operations).filter(Boolean)).toEqual([2]);
      expect(points[19]?.operations).toBe(2);
    }));

  it('RPT-33: has zeros for an account without usage', async () => {
    const { data_points } = await series(new AnalyticsAccount(platform), 'quarter');
    expect(data_points.every(({ operations, sparks_created }) => operations + sparks_created === 0)).toBe(
      true,
    );
  });
});
