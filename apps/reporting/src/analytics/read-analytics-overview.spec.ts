import { describe, expect, it } from '@jest/globals';
import { bytesDiscarded, bytesSent, uploadEnded, uploadFinalized } from '@vaultsvc/contracts/forge';
import { readAnalyticsOverview } from '@vaultsvc/contracts/reporting';
import { sparkCreated, sparkDeleted, sparkExpired, sparkRead } from '@vaultsvc/contracts/sparks';
import {
  ingotCreated,
  ingotDeleted,
  structuredCreated,
  structuredDeleted,
  structuredOverwritten,
  structuredRemoved,
  vaultCreated,
  vaultDeleted,
  vaultRemoved,
  versionActivated,
  versionDropped,
  versionOpened,
  versionReleased,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { action, AnalyticsAccount } from '../testing/analytics.js';
import { fiveAtATime, permutations, send, type Fact } from '../testing/deliveries.js';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform();
const DAY_MS = 86_400_000;

const overview = (account: AnalyticsAccount, period?: string) =>
  account.call(readAnalyticsOverview, { query: { period } });

type Spark = ReturnType<AnalyticsAccount['newSpark']>;
type Sparks = [Spark, Spark, Spark, Spark, Spark];

/** A vault of an account, and events of what it contains. */
function newVault({ id: account_id }: AnalyticsAccount) {
  const vault = { vault_id: newId('vlt_'), account_id };
  const caused = { ...vault, ...action };
  return {
    created: [vaultCreated, caused] as Fact,
    deleted: [vaultDeleted, caused] as Fact,
    removed: [vaultRemoved, vault] as Fact,
    newIngot: () => {
      const ingot_id = newId('ing_');
      const version = (size_bytes: number) => {
        const fact = { ...vault, ingot_id, version_id: newId('ver_'), size_bytes };
        return {
          opened: [versionOpened, fact] as Fact,
          dropped: [versionDropped, fact] as Fact,
          activated: [versionActivated, fact] as Fact,
          released: (reason: 'replaced' | 'deleted'): Fact => [
            versionReleased,
            { ...fact, reason, kept_until: null },
          ],
          finalized: [uploadFinalized, fact] as Fact,
          ended: (received_bytes: number): Fact => [
            uploadEnded,
            { ...fact, received_bytes, reason: 'expired' },
          ],
          discarded: (bytes: number): Fact => [bytesDiscarded, { ...fact, bytes }],
          sent: (bytes: number, downloads: number): Fact => [bytesSent, { ...fact, bytes, downloads }],
        };
      };
      return {
        created: [ingotCreated, { ...caused, ingot_id }] as Fact,
        deleted: [ingotDeleted, { ...caused, ingot_id }] as Fact,
        version,
      };
    },
    newStructured: () => {
      const ingot_id = newId('ing_');
      const write = { ...caused, ingot_id, version: 1, key_count: 1, written_bytes: 1 };
      return {
        created: (stored_bytes: number): Fact => [structuredCreated, { ...write, stored_bytes }],
        overwritten: (stored_bytes: number): Fact => [structuredOverwritten, { ...write, stored_bytes }],
        deleted: (size_bytes: number): Fact => [structuredDeleted, { ...caused, ingot_id, size_bytes }],
        removed: (size_bytes: number): Fact => [structuredRemoved, { ...vault, ingot_id, size_bytes }],
      };
    },
  };
}

describe('the overview of an account', () => {
  it('RPT-02 RPT-33: has zeros for an unused account, and the period as requested or all', async () => {
    const account = new AnalyticsAccount(platform);
    const other = new AnalyticsAccount(platform);
    await other.record([other.sparkCreated()]);
    const none = await overview(account);
    expect(none).toEqual({
      period: 'all',
      period_start: none.period_end - 30 * 86_400,
      period_end: none.period_end,
      period_days: 30,
      sparks: { total: 0, active: 0, burned: 0, expired: 0, created_this_period: 0, rate_per_day: 0 },
      vaults: { total: 0, active: 0, created_this_period: 0, rate_per_day: 0 },
      ingots: { total: 0, storage_bytes: 0, storage_mb: 0, storage_gb: 0 },
      transfers: { total_access_count: 0, total_bytes: 0, total_mb: 0, total_gb: 0 },
      activity: { total_operations: 0, operations_per_day: 0 },
    });
    expect(await overview(account, 'week')).toMatchObject({ period: 'week', period_days: 7 });
    expect(await overview(account, 'bogus \0')).toMatchObject({ period: 'bogus \0', period_days: 30 });
  });

  it('RPT-04 RPT-07: counts Sparks that were created, read, deleted and expired', async () => {
    const account = new AnalyticsAccount(platform);
    const [first, second, third, fourth, fifth] = [1, 2, 3, 4, 5].map(() => account.newSpark()) as Sparks;
    const facts = [first, second, third, fourth, fifth].map((spark): Fact => [sparkCreated, spark]);
    await account.record(facts);
    const { actor_type: _, actor_id: __, ...expired } = fourth;
    await account.record([
      [sparkRead, { ...first, reader_account_id: account.id }],
      [sparkRead, { ...second, actor_type: 'link', reader_account_id: account.id }],
      [sparkDeleted, third],
      [sparkExpired, expired],
    ]);
    const { sparks, activity } = await overview(account, 'day');
    expect(sparks).toEqual({
      total: 5,
      active: 1,
      burned: 2,
      expired: 1,
      created_this_period: 5,
      rate_per_day: 5,
    });
    // The visitor's operation is the access of the link, an event of its own; an expiry has no caller.
    expect(activity).toEqual({ total_operations: 7, operations_per_day: 7 });
  });

  it('RPT-05: counts vaults, and rates with two decimals', async () => {
    const account = new AnalyticsAccount(platform);
    const [one, two] = [newVault(account), newVault(account)];
    await account.record([one.created, two.created, one.deleted, one.removed]);
    expect(await overview(account)).toMatchObject({
      vaults: { total: 2, active: 1, created_this_period: 2, rate_per_day: 0.07 },
      activity: { total_operations: 3, operations_per_day: 0.1 },
    });
  });

  it('RPT-06: counts ingots with content, their bytes, and transfers', async () => {
    const account = new AnalyticsAccount(platform);
    const { newIngot } = newVault(account);
    const [file, never] = [newIngot(), newIngot()];
    const [first, second, lost] = [
      file.version(3 * 1_024 ** 2),
      file.version(1_024 ** 2),
      never.version(900),
    ];
    await account.record([file.created, first.opened, first.discarded(24), first.finalized, first.activated]);
    await account.record([never.created, lost.opened, lost.ended(100), lost.dropped]);
    expect((await overview(account)).ingots).toEqual({
      total: 1,
      storage_bytes: 3 * 1_024 ** 2,
      storage_mb: 3,
      storage_gb: 0,
    });
    await account.record([second.opened, second.finalized, second.activated, first.released('replaced')]);
    await account.record([second.sent(1_024 ** 2, 1), second.sent(5, 0), second.sent(7, 1)]);
    expect(await overview(account)).toMatchObject({
      ingots: { total: 1, storage_bytes: 1_024 ** 2, storage_mb: 1 },
      transfers: { total_access_count: 2, total_bytes: 5 * 1_024 ** 2 + 136, total_mb: 5, total_gb: 0 },
    });
    await account.record([never.deleted, file.deleted, second.released('deleted')]);
    expect((await overview(account)).ingots).toMatchObject({ total: 0, storage_bytes: 0 });
  });

  it('RPT-06 OPEN-12: counts the ingots of a deleted vault down as its content is removed', async () => {
    const account = new AnalyticsAccount(platform);
    const [vault, other] = [newVault(account), newVault(account)];
    const files = Array.from({ length: 3 }, () => vault.newIngot().version(10));
    const [structured, kept] = [vault.newStructured(), other.newStructured()];
    await account.record([
      ...files.map(({ activated }) => activated),
      structured.created(5),
      kept.created(7),
    ]);
    await account.record([kept.overwritten(-3)]);
    expect((await overview(account)).ingots).toMatchObject({ total: 5, storage_bytes: 39 });
    await account.record([vault.deleted, ...files.map(({ released }) => released('deleted'))]);
    await account.record([structured.removed(5), vault.removed]);
    expect((await overview(account)).ingots).toMatchObject({ total: 1, storage_bytes: 4 });
    await account.record([kept.deleted(4)]);
    expect((await overview(account)).ingots).toMatchObject({ total: 0, storage_bytes: 0 });
  });

  it('RPT-04 RPT-06: is the same in every order of events, and never negative', async () => {
    const orders = permutations([0, 1, 2, 3]);
    const inOrder = async (order: readonly number[]) => {
      const account = new AnalyticsAccount(platform);
      const version = newVault(account).newIngot().version(8);
      const spark = account.sparkCreated();
      const facts = [version.activated, version.released('deleted'), spark, [sparkDeleted, spark[1]] as Fact];
      for (const at of order) await account.record([facts[at] as Fact]);
      const { sparks, ingots } = await overview(account);
      expect([sparks.total, sparks.active, ingots.total, ingots.storage_bytes]).toEqual([1, 0, 0, 0]);
    };
    await fiveAtATime(orders, inOrder);
    const account = new AnalyticsAccount(platform);
    await account.record([[sparkDeleted, account.newSpark()]]);
    expect((await overview(account)).sparks).toMatchObject({ total: 0, active: 0 });
  });

  it('RPT-04 RPT-07: counts late and repeated events once, in the period in which they occurred', async () => {
    const account = new AnalyticsAccount(platform);
    const now = Date.now();
    const old = await account.record([account.sparkCreated(), account.sparkCreated()], now - 40 * DAY_MS);
    const recent = await account.record([account.sparkCreated()], now - 6 * DAY_MS);
    await send(platform, ...old, ...recent, ...old);
    await account.record([account.sparkCreated()]);
    const created = async (period: string) => {
      const { sparks, activity } = await overview(account, period);
      expect([sparks.total, activity.total_operations]).toEqual([4, sparks.created_this_period]);
      return sparks.created_this_period;
    };
    expect([
      await created('day'),
      await created('week'),
      await created('month'),
      await created('quarter'),
    ]).toEqual([1, 2, 2, 4]);
  });
});
