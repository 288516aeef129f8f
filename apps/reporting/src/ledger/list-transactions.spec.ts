import { beforeAll, describe, expect, it } from '@jest/globals';
import { listTransactions, type Transaction, type TransactionPage } from '@vaultsvc/contracts/reporting';
import { sparkRead } from '@vaultsvc/contracts/sparks';
import { ingotCreated, versionActivated, versionReleased } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { stopSchedule } from '@vaultsvc/testing/harness';
import { action, AnalyticsAccount } from '../testing/analytics.js';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform();
beforeAll(() => stopSchedule(...platform.instances)); // old entries stay

const page = (account: AnalyticsAccount, query: Partial<Parameters<typeof listed>[1]> = {}) =>
  listed(account, { limit: 50, include_aggregated: false, ...query });
function listed(
  account: AnalyticsAccount,
  query: { limit: number; cursor?: string; type?: string; include_aggregated: boolean },
): Promise<TransactionPage> {
  return account.call(listTransactions, { query });
}

/** All transactions, page by page. */
async function all(account: AnalyticsAccount, query: Parameters<typeof page>[1]): Promise<Transaction[]> {
  const { transactions, next_cursor: cursor } = await page(account, query);
  return cursor === undefined
    ? transactions
    : [...transactions, ...(await all(account, { ...query, cursor }))];
}

describe('OPEN-29 RPT-31 BIL-14: the transactions of an account', () => {
  it('OPEN-65: are one for each resource of an entry, newest first, and name no actor but users and API keys', async () => {
    const account = new AnalyticsAccount(platform);
    const ingot = { vault_id: newId('vlt_'), account_id: account.id, ingot_id: newId('ing_') };
    const version = { ...ingot, version_id: newId('ver_'), size_bytes: 7 };
    const spark = account.sparkCreated();
    const start = Date.now() - 60_000;
    await account.record([spark], start);
    await account.record([[ingotCreated, { ...ingot, ...action }]], start + 1_000);
    await account.record([[versionActivated, version]], start + 2_000);
    await account.record(
      [[versionReleased, { ...version, reason: 'deleted', kept_until: null }]],
      start + 3_000,
    );
    const common = { reference_id: ingot.ingot_id, vault_id: ingot.vault_id, aggregated: false };
    const at = (seconds: number) => ({
      transaction_id: expect.stringMatching(/^txn_[0-9A-Za-z]{22}$/),
      created_at: Math.floor(start / 1_000 + seconds),
    });
    const bytes = { unit: 'bytes', actor_type: null };
    const { spark_id } = spark[1] as { spark_id: string };
    const created = { type: 'spark_create', quantity: 10, unit: 'bytes', actor_type: 'api_key', ...at(0) };
    const ofSpark = { ...common, ...created, reference_id: spark_id, vault_id: null };
    expect(await page(account)).toEqual({
      transactions: [
        { ...common, ...bytes, type: 'ingot_delete', resource: 'storage', quantity: -7, ...at(3) },
        { ...common, ...bytes, type: 'ingot_upload', resource: 'storage', quantity: 7, ...at(2) },
        {
          ...common,
          type: 'ingot_create',
          resource: 'operation',
          quantity: 1,
          unit: 'count',
          actor_type: 'api_key',
          ...at(1),
        },
        { ...ofSpark, resource: 'storage' },
        { ...ofSpark, resource: 'bandwidth' },
      ],
      count: 5,
      has_more: false,
    });
  });

  it('ENV-13 ENV-14: are listed completely and once, with any size of page', async () => {
    const account = new AnalyticsAccount(platform);
    const now = Date.now();
    for (let i = 0; i < 4; i++)
      await account.record(
        [account.sparkCreated(), [sparkRead, { ...account.newSpark(), reader_account_id: account.id }]],
        now - i,
      );
    const whole = await page(account, { limit: 100 });
    expect(whole).toMatchObject({ count: 16, has_more: false });
    expect(whole).not.toHaveProperty('next_cursor');
    expect(new Set(whole.transactions.map(({ transaction_id }) => transaction_id)).size).toBe(16);
    for (const limit of [1, 2, 3, 5, 16]) expect(await all(account, { limit })).toEqual(whole.transactions);
  });

  it('are only those of the requested type', async () => {
    const account = new AnalyticsAccount(platform);
    await account.record([
      account.sparkCreated(),
      [sparkRead, { ...account.newSpark(), reader_account_id: account.id }],
    ]);
    const read = await page(account, { type: 'spark_read' });
    expect(read.transactions.map(({ type, resource }) => [type, resource])).toEqual([
      ['spark_read', 'storage'],
      ['spark_read', 'bandwidth'],
    ]);
    expect(await page(account, { type: 'spark' })).toEqual({ transactions: [], count: 0, has_more: false });
  });

  it('of a rare type are found by pages that read 2,000 rows each', async () => {
    const account = new AnalyticsAccount(platform);
    await account.record(
      [[sparkRead, { ...account.newSpark(), reader_account_id: account.id }]],
      1_700_000_000_000,
    );
    await platform.sql(
      `INSERT INTO ledger (account_id, source, event_id, type, actor_type, created_at)
       SELECT $1, 'vaults', (lpad(to_hex(1800000000000 + n), 12, '0') || '7' || substr(md5(n::text), 1, 19))::uuid,
              'vault_seal', 'user', now() FROM generate_series(1, 2000) n`,
      [account.id],
    );
    const first = await page(account, { type: 'spark_read' });
    expect(first).toMatchObject({ transactions: [], count: 0, has_more: true });
    const found = await all(account, { type: 'spark_read', limit: 1 });
    expect(found.map(({ resource }) => resource)).toEqual(['storage', 'bandwidth']);
  });

  it('RPT-33: are not those of other accounts, also of the same event', async () => {
    const [owner, reader] = [new AnalyticsAccount(platform), new AnalyticsAccount(platform)];
    await owner.record([[sparkRead, { ...owner.newSpark(), reader_account_id: reader.id }]]);
    const [ofOwner, ofReader] = await Promise.all([page(owner), page(reader)]);
    expect(ofOwner.transactions.map(({ resource, quantity }) => [resource, quantity])).toEqual([
      ['storage', -10],
    ]);
    expect(ofReader.transactions.map(({ resource, quantity }) => [resource, quantity])).toEqual([
      ['bandwidth', 10],
    ]);
  });
});
