import { describe, expect, it } from '@jest/globals';
import { readBandwidth } from '@vaultsvc/contracts/reporting';
import { AnalyticsAccount } from '../testing/analytics.js';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform();
const DAY_MS = 86_400_000;

const dayOf = (epochMs: number) => Math.floor(epochMs / DAY_MS);

/** Repeats a test whose UTC day has ended before it did: today is then another one. */
async function withinOneDay(test: (nowMs: number) => Promise<void>): Promise<void> {
  const nowMs = Date.now();
  await test(nowMs).catch((error: unknown) => {
    if (dayOf(nowMs) === dayOf(Date.now())) throw error;
    return withinOneDay(test);
  });
}

describe('reading the bandwidth of days', () => {
  it('OPEN-58 RPT-08: has the drawn bytes of each of the last 30 UTC days, oldest first', () =>
    withinOneDay(async (now) => {
      const account = new AnalyticsAccount(platform);
      await account.record([account.sparkCreated(), account.sparkCreated()], now);
      await account.record([account.sparkCreated()], now - 3 * DAY_MS);
      await account.record([account.sparkCreated()], now - 40 * DAY_MS);
      const { days, total_bytes } = await account.call(readBandwidth, {});
      expect(days.map(({ timestamp }) => timestamp)).toEqual(
        Array.from({ length: 31 }, (_, index) => (dayOf(now) - 30 + index) * 86_400),
      );
      const bytes = days.map((day) => day.bytes);
      const one = bytes[27] as number;
      expect(one).toBeGreaterThan(0);
      expect(bytes).toEqual([...Array<number>(27).fill(0), one, 0, 0, 2 * one]);
      expect(total_bytes).toBe(3 * one);
    }));

  it('OPEN-58: sums up to the draws of the pool', async () => {
    const account = new AnalyticsAccount(platform);
    await account.record([account.sparkCreated(), account.sparkCreated()]);
    const { total_bytes } = await account.call(readBandwidth, {});
    await platform.waitForSnapshot(account.id, ({ bandwidth }) => bandwidth.used === total_bytes);
  });

  it('has zeros for an account without usage, and no bytes of others', async () => {
    const [used, unused] = [new AnalyticsAccount(platform), new AnalyticsAccount(platform)];
    await used.record([used.sparkCreated()]);
    const { days, total_bytes } = await unused.call(readBandwidth, {});
    expect({ total_bytes, sum: days.reduce((sum, { bytes }) => sum + bytes, 0) }).toEqual({
      total_bytes: 0,
      sum: 0,
    });
  });
});
