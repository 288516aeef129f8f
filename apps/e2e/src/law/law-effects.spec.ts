import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadPoolSnapshot } from '@vaultsvc/contracts/reporting';
import type { ApiResponse } from '@vaultsvc/testing/http';
import { internalContext, rowsOf } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { newTenant, type Tenant } from '../access/tenant.js';
import { rows, type RoutedRow } from './index.js';
import { inputOf, sendRow, type SampleInput } from './running/row-request.js';
import { untilSettled } from './running/settled.js';

const platform = usePlatform();

/** Draws of these pools are billable (OPEN-03); releases, seats and limits are none. */
interface Used {
  readonly storage: number;
  readonly bandwidth: number;
}

interface Trial {
  readonly row: RoutedRow;
  readonly tenant: Tenant;
  readonly input: SampleInput;
  before: Used;
  after: Used;
  answer?: ApiResponse;
}

const ofAccounts = rows.filter(
  ({ by = 'key', origin, off }) => (by === 'key' || by === 'session') && !origin && !off,
);

/** Each operation has an account of its own, whose pools nothing else draws. */
async function prepare(row: RoutedRow): Promise<Trial> {
  const tenant = await newTenant(platform);
  const none = { storage: 0, bandwidth: 0 };
  return { row, tenant, input: await inputOf(row, tenant), before: none, after: none };
}

async function usedBy({ tenant }: Trial): Promise<Used> {
  const { data } = await tenant.owner.send({ method: 'GET', target: '/v1/usage/pools' });
  const { storage, bandwidth } = data as Record<keyof Used, { used: number }>;
  return { storage: storage.used, bandwidth: bandwidth.used };
}

const send = ({ row, tenant, input }: Trial) =>
  sendRow(platform, row, { jwt: tenant.ownerSession.token }, input);

describe('OPEN-03 OPEN-58 ENV-10: which operations are billable is known by their effects', () => {
  const trials = new Map<string, Trial>();
  beforeAll(async () => {
    for (const row of ofAccounts) trials.set(row.route, await prepare(row));
    await untilSettled(platform);
    for (const trial of trials.values()) trial.before = await usedBy(trial);
    for (const trial of trials.values()) trial.answer = await send(trial);
    await untilSettled(platform);
    for (const trial of trials.values()) trial.after = await usedBy(trial);
  });

  const raised = ({ before, after }: Trial) =>
    (['storage', 'bandwidth'] as const).filter((pool) => after[pool] > before[pool]);

  it.each(ofAccounts)('$route draws nothing, or shows meta.pools', ({ route, billable, status }) => {
    const trial = trials.get(route) as Trial;
    const hasPools = 'pools' in (trial.answer?.meta ?? {});
    expect(trial.answer?.status).toBe(status);
    if (raised(trial).length > 0) expect([billable !== undefined, hasPools]).toEqual([true, true]);
  });

  it('a Spark, its reading, random data, a retrieval and a send draw', () => {
    const drawing = [...trials.values()].filter((trial) => raised(trial).length > 0);
    expect(drawing.map(({ row }) => row.route)).toEqual(
      expect.arrayContaining([
        'POST /v1/sparks',
        'GET /v1/sparks/{spark_id}',
        'POST /v1/entropy/generate',
        'POST /v1/products/structured-ingots/{vault_id}',
        'GET /v1/products/structured-ingots/{vault_id}/{ingot_id}',
        'POST /v1/products/notify/send',
      ]),
    );
  });
});

/** The snapshot by which the gateway admits calls is in Redis. */
async function endPlan({ accountId: account_id }: Tenant): Promise<void> {
  const load = () =>
    platform.harness.bus.call(loadPoolSnapshot, { body: { account_id } }, internalContext('law'));
  await until(() => load().then(Boolean)); // so that the account has pools
  await rowsOf(
    platform.reporting,
    `UPDATE pools SET status = 'none', version = version + 1 WHERE account_id = $1`,
    [account_id],
  );
  await until(() => load().then(Boolean)); // Redis may miss its timeout on a busy machine
}

describe('OPEN-58 ENV-23: without a plan', () => {
  const billable = ofAccounts.filter((row) => row.billable);

  it.each(billable)('$route ($billable) is refused if it writes, and answers if it reads', async (row) => {
    const trial = await prepare(row);
    await endPlan(trial.tenant);
    const { status, error } = await send(trial);
    expect(error?.code ?? status).toBe(row.billable === 'write' ? 'PLAN_REQUIRED' : row.status);
  });
});
