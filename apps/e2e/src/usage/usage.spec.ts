import { describe, expect, it } from '@jest/globals';
import {
  aggregateTransactions,
  listActivity,
  listTransactions,
  readAnalyticsOverview,
  readUsageOverTime,
} from '@vaultsvc/contracts/reporting';
import { createSpark, generateEntropy, readSpark, shareSpark } from '@vaultsvc/contracts/sparks';
import { createIngot, deleteVault, readVaultAnalytics, updateIngot } from '@vaultsvc/contracts/vaults';
import { api, succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { mintSession } from '@vaultsvc/tools-testing/accounts';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { newSpark, publicSharing } from '../access/link-samples.js';
import { newTenant, type Tenant } from '../access/tenant.js';
import { newIngot, openVault, vaultWithIngots } from '../access/vault-samples.js';

const platform = usePlatform();

const overview = async ({ key }: Tenant) => succeeded(await key.call(readAnalyticsOverview, { query: {} }));
const activity = async ({ key }: Tenant) => succeeded(await key.call(listActivity, { query: {} }));
const transactions = async ({ key }: Tenant, query: { limit?: number; cursor?: string } = {}) =>
  key.call(listTransactions, { query: { limit: 50, include_aggregated: false, ...query } });
const listed = async (tenant: Tenant, count: number) =>
  eventually(
    async () => succeeded(await transactions(tenant)).transactions,
    ({ length }) => length >= count,
  );
const newSparkOf = async ({ key }: Tenant) => succeeded(await key.call(createSpark, { body: newSpark() }));

describe('the usage of an account, over HTTP', () => {
  it('RPT-04 RPT-05 RPT-06 RPT-07 RPT-17 RPT-33: shows what was done, in its own account only', async () => {
    const [tenant, other] = [await newTenant(platform), await newTenant(platform)];
    const [spark, shared] = [await newSparkOf(tenant), await newSparkOf(tenant)];
    succeeded(await tenant.key.call(readSpark, { params: { spark_id: spark.spark_id } }));
    const sharing = { params: { spark_id: shared.spark_id }, body: publicSharing() };
    succeeded(await tenant.owner.call(shareSpark, sharing));
    const entropy = { format: 'hex', num_bytes: 16, with_commitment: false } as const;
    succeeded(await tenant.key.call(generateEntropy, { body: entropy }));
    const { params, headers } = await openVault(tenant);
    const opening = { params, body: newIngot() };
    const { ingot_id } = succeeded(await tenant.key.call(createIngot, opening, headers));
    const renaming = { params: { ...params, ingot_id }, body: { name: 'renamed.txt' } };
    succeeded(await tenant.key.call(updateIngot, renaming, headers));
    const shown = await eventually(
      () => activity(tenant),
      ({ count }) => count >= 9,
    );
    expect(shown.events.map(({ event_type }) => event_type).toSorted()).toEqual([
      'entropy_generate',
      'ingot_created',
      'ingot_updated',
      'spark_created',
      'spark_created',
      'spark_read',
      'sparklink_create',
      'vault_created',
      'vault_unseal',
    ]);
    expect(await overview(tenant)).toMatchObject({
      sparks: { total: 2, active: 1, burned: 1, expired: 0, created_this_period: 2 },
      vaults: { total: 1, active: 1, created_this_period: 1 },
      ingots: { total: 0, storage_bytes: 0 },
      activity: { total_operations: 9, operations_per_day: 0.3 },
    });
    expect(await activity(other)).toMatchObject({ events: [] });
    expect(await overview(other)).toMatchObject({ sparks: { total: 0 }, activity: { total_operations: 0 } });
  });

  it('RPT-06 RPT-25: counts uploaded ingots until their vault is deleted', async () => {
    const tenant = await newTenant(platform);
    const { params } = await vaultWithIngots(tenant);
    const { ingots, transfers } = await eventually(
      () => overview(tenant),
      (figures) => figures.ingots.total === 2 && figures.transfers.total_bytes > 0,
    );
    const vault = { params: { vault_id: params.vault_id }, query: {} };
    const { statistics } = succeeded(await tenant.key.call(readVaultAnalytics, vault));
    expect(statistics).toMatchObject({ total_ingots: 2, total_storage_bytes: ingots.storage_bytes });
    expect(transfers.total_bytes).toBeGreaterThanOrEqual(ingots.storage_bytes / 2);
    succeeded(await tenant.owner.call(deleteVault, { params: { vault_id: params.vault_id } }));
    await eventually(
      () => overview(tenant),
      (figures) => figures.ingots.total === 0 && figures.vaults.active === 0,
    );
    expect((await overview(tenant)).ingots).toMatchObject({ storage_bytes: 0 });
  });

  it('AMB-55 RPT-01 RPT-12 RPT-18 RPT-23 RPT-34: is never refused for a period, limit or number of days', async () => {
    const tenant = await newTenant(platform);
    const { params } = await openVault(tenant);
    const values = ['bogus', '', '0', '-1', '1e9', '999', '%00', '%F0%9F%98%80', 'x'.repeat(3_000)];
    const paths = ['overview', 'usage-over-time', 'activity', 'spark-activity', `vaults/${params.vault_id}`];
    for (const path of paths)
      for (const value of values) {
        const target = `/v1/analytics/${path}?period=${value}&limit=${value}&days=${value}&metric=${value}`;
        expect(await tenant.key.send({ method: 'GET', target })).toMatchObject({ status: 200 });
      }
  });

  it('OPEN-29 RPT-31: is listed as transactions of the calling account', async () => {
    const [tenant, other] = [await newTenant(platform), await newTenant(platform)];
    const spark = await newSparkOf(tenant);
    const [storage, bandwidth] = await listed(tenant, 2);
    const common = {
      transaction_id: expect.stringMatching(/^txn_/),
      type: 'spark_create',
      quantity: spark.size_bytes,
      unit: 'bytes',
      reference_id: spark.spark_id,
      vault_id: null,
      actor_type: 'api_key',
      aggregated: false,
      created_at: expect.any(Number),
    };
    expect([storage, bandwidth]).toEqual([
      { ...common, resource: 'storage' },
      { ...common, resource: 'bandwidth' },
    ]);
    expect(succeeded(await transactions(other))).toEqual({ transactions: [], count: 0, has_more: false });
  });

  it('ENV-13 ENV-14 ENV-15 ENV-16 ENV-17 BIL-14: has cursors that are bound to the account and the list', async () => {
    const [tenant, other] = [await newTenant(platform), await newTenant(platform)];
    for (let i = 0; i < 3; i++) await newSparkOf(tenant);
    const whole = await listed(tenant, 6);
    const first = succeeded(await transactions(tenant, { limit: 4 }));
    const { next_cursor: cursor = '' } = first;
    expect(first).toMatchObject({ count: 4, has_more: true });
    const second = succeeded(await transactions(tenant, { limit: 4, cursor }));
    expect([...first.transactions, ...second.transactions]).toEqual(whole);
    expect(second).not.toHaveProperty('next_cursor');
    const refused = { status: 400, error: { code: 'VALIDATION_ERROR' } };
    const changed = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
    expect(await transactions(tenant, { cursor: changed })).toMatchObject(refused);
    expect(await transactions(other, { cursor })).toMatchObject(refused);
    for (const target of [
      `/v1/sparks?cursor=${cursor}`,
      `/v1/billing/transactions?cursor=${cursor}&type=spark_read`,
      `/v1/billing/transactions?limit=0`,
      `/v1/billing/transactions?limit=101`,
      `/v1/billing/transactions?include_aggregated=1`,
    ])
      expect(await tenant.key.send({ method: 'GET', target })).toMatchObject(refused);
  });

  it('RPT-32 BIL-13: is rolled up on request of an admin, with or without a body', async () => {
    const tenant = await newTenant(platform);
    await newSparkOf(tenant);
    await listed(tenant, 2);
    const member = await mintSession(platform.auth, { accountId: tenant.accountId, role: 'member' });
    const aggregate = { method: 'POST', target: '/v1/billing/aggregate' };
    const refused = await api(platform.url, { jwt: member.token }).call(aggregateTransactions, {});
    expect(refused).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
    expect(await tenant.key.send(aggregate)).toMatchObject({
      status: 200,
      data: { aggregated_count: 2, summary_count: 2, has_more: false },
    });
    expect(await tenant.owner.send({ ...aggregate, body: {} })).toMatchObject({
      status: 200,
      data: { aggregated_count: 0, summary_count: 0 },
    });
    const { transactions: shown } = succeeded(await transactions(tenant));
    expect(shown.map(({ type, resource, reference_id }) => [type, resource, reference_id])).toEqual([
      ['spark_create', 'storage', null],
      ['spark_create', 'bandwidth', null],
    ]);
    expect((await activity(tenant)).count).toBe(1);
    const { data_points } = succeeded(await tenant.key.call(readUsageOverTime, { query: {} }));
    expect(data_points.reduce((sum, { sparks_created }) => sum + sparks_created, 0)).toBe(1);
  });
});
