import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadPoolSnapshot } from '@vaultsvc/contracts/reporting';
import { generateEntropy } from '@vaultsvc/contracts/sparks';
import { internalContext, rowsOf, urlOf } from '@vaultsvc/testing/harness';
import { api, succeeded, type Api } from '@vaultsvc/testing/http';
import { startKms, type TestServer } from '@vaultsvc/testing/servers';
import { eventually, until } from '@vaultsvc/testing/waiting';
import { mintApiKey, mintSession } from '@vaultsvc/tools-testing/accounts';
import { startPlatform, type Platform } from '@vaultsvc/tools-testing/platform';

import { gateway } from '../service-definition.js';

const ROUTE = { method: 'POST', target: '/v1/entropy/generate' };

let kms: TestServer;
let platform: Platform;
beforeAll(async () => {
  kms = await startKms();
  platform = await startPlatform({ KMS_ENDPOINT: kms.url });
});
afterAll(async () => {
  await platform.stop();
  await kms.stop();
});

interface Caller extends Api {
  readonly accountId: string;
  readonly key: string;
}
const newCaller = async (url = platform.url): Promise<Caller> => {
  const { accountId, apiKey: key } = await mintApiKey(platform.auth);
  return { ...api(url, { key }), accountId, key };
};
const post = (caller: Api, body: unknown) => caller.send({ ...ROUTE, body });
const hex = (caller: Api, num_bytes = 16) =>
  caller.call(generateEntropy, { body: { format: 'hex', num_bytes, with_commitment: false } });

/** Changes the pools of an account in reporting's table, and waits until the gateway uses them. */
async function setPools(accountId: string, change: string): Promise<void> {
  const load = () =>
    platform.harness.bus.call(loadPoolSnapshot, { body: { account_id: accountId } }, internalContext());
  await load();
  await rowsOf(
    platform.reporting,
    `UPDATE pools SET ${change}, version = version + 1 WHERE account_id = $1`,
    [accountId],
  );
  await load();
}
const ledgerOf = (accountId: string) =>
  rowsOf<{ type: string; resource: string; quantity: number; reference_id: string }>(
    platform.reporting,
    `SELECT type, resource, quantity, reference_id FROM ledger_lines WHERE account_id = $1`,
    [accountId],
  );

describe('ENT-01: generating entropy', () => {
  it('is 401 AUTHENTICATION_ERROR without a credential, whatever the body', async () => {
    const wrong = api(platform.url, { key: 'vk_live_nothing' });
    for (const caller of [api(platform.url), wrong]) {
      for (const body of [{ num_bytes: 16 }, '{', {}])
        expect(await post(caller, body)).toMatchObject({
          status: 401,
          error: { code: 'AUTHENTICATION_ERROR' },
        });
    }
  });

  it('ENT-02 ENT-05: is 200 with an API key, in hex by default', async () => {
    const answer = await post(await newCaller(), { num_bytes: 16 });
    expect(answer).toMatchObject({ status: 200, data: { format: 'hex', num_bytes: 16 } });
    expect(answer.data).toMatchObject({ value: expect.stringMatching(/^[0-9a-f]{32}$/) });
  });

  it('is 200 with a full session, also of a viewer, and refused for an identity-only session', async () => {
    for (const options of [{}, { role: 'member', seat: 'viewer' }] as const) {
      const { token: jwt } = await mintSession(platform.auth, options);
      expect((await hex(api(platform.url, { jwt }))).status).toBe(200);
    }
    const { token: jwt } = await mintSession(platform.auth, { sessionType: 'identity_only' });
    expect(await hex(api(platform.url, { jwt }))).toMatchObject({ status: 403 });
  });
});

describe('ENT-02 ENT-03 ENT-04 TRAP 67: generating entropy is 400 VALIDATION_ERROR over HTTP', () => {
  it.each([
    '{}',
    '',
    '{"num_bytes":0}',
    '{"num_bytes":1025}',
    '{"num_bytes":1.5}',
    '{"num_bytes":"16"}',
    '{"num_bytes":true}',
    '{"num_bytes":[16]}',
    '{"num_bytes":16,"format":"octal"}',
    '{"num_bytes":513,"format":"password"}',
    '{"num_bytes":0,"format":"uuid"}',
  ])('%s', async (body) => {
    expect(await post(await newCaller(), body)).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR', details: { fields: [{ field: expect.any(String) }] } },
    });
  });
});

describe('ENT-18 ENV-23 ENV-24: generating entropy is 402', () => {
  it('PLAN_REQUIRED for an account without a plan', async () => {
    const caller = await newCaller();
    await setPools(caller.accountId, `status = 'none'`);
    expect(await hex(caller)).toMatchObject({ status: 402, error: { code: 'PLAN_REQUIRED' } });
    expect(await ledgerOf(caller.accountId)).toEqual([]);
  });

  it('QUOTA_EXCEEDED with details.resource bandwidth for an account with exhausted bandwidth', async () => {
    const caller = await newCaller();
    await setPools(caller.accountId, 'bandwidth_limit = 1');
    expect(await hex(caller)).toMatchObject({ status: 200 });
    const refused = await eventually(
      () => hex(caller),
      ({ status }) => status !== 200,
    );
    expect(refused).toMatchObject({
      status: 402,
      error: {
        code: 'QUOTA_EXCEEDED',
        details: { resource: 'bandwidth', action_required: 'add_bandwidth_block' },
      },
    });
  });

  it('AMB-13: after 400', async () => {
    const caller = await newCaller();
    await setPools(caller.accountId, `status = 'none'`);
    expect(await post(caller, { num_bytes: 513, format: 'password' })).toMatchObject({ status: 400 });
  });
});

/** Absent while reporting or Redis are slow. */
interface Pools {
  readonly pools?: { readonly bandwidth: { readonly used: number } };
}

describe('ENT-20 ENT-21: the usage of a call', () => {
  it('is one ledger line, entropy_generate, with the bytes of request and answer, and shows in the pool', async () => {
    const caller = await newCaller();
    const body = '{ "num_bytes" : 1000 }';
    const answer = await post(caller, body);
    const { reference_id } = answer.data as { reference_id: string };
    const { data } = JSON.parse(answer.body.toString()) as { data: object };
    const quantity = Buffer.byteLength(body) + Buffer.byteLength(JSON.stringify(data));
    const lines = await eventually(
      () => ledgerOf(caller.accountId),
      ({ length }) => length > 0,
    );
    expect(lines).toEqual([{ type: 'entropy_generate', resource: 'bandwidth', quantity, reference_id }]);
    const next = await eventually(
      () => hex(caller, 1),
      ({ meta }) => ((meta as Pools).pools?.bandwidth.used ?? 0) >= quantity,
    );
    expect(next.status).toBe(200);
  });
});

describe('ENT-19: generating entropy is never 503', () => {
  it('but 429 with Retry-After beyond the limit of the minute', async () => {
    const settings = { HTTP_PORT: '0', LINK_PORT: '0', FILES_PORT: '0', RATE_LIMIT_PER_MINUTE: '3' };
    const caller = await newCaller(urlOf(await platform.harness.start(gateway, settings)));
    const answers = [];
    while (answers.length < 8) answers.push(await hex(caller)); // more than the limit of two minutes
    const refused = answers.find(({ status }) => status !== 200);
    expect(refused).toMatchObject({
      status: 429,
      error: { code: 'RATE_LIMIT_EXCEEDED', details: { limit: 3 } },
    });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  it('ENT-17: but 500 CRYPTOGRAPHIC_ERROR in the envelope while KMS is down, and 200 afterwards', async () => {
    const caller = await newCaller();
    await kms.kill('SIGKILL');
    const answers = await Promise.all(Array.from({ length: 10 }, () => hex(caller)));
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 500, error: { code: 'CRYPTOGRAPHIC_ERROR' } });
    await kms.restart();
    await until(async () => (await hex(caller)).status === 200);
    expect(succeeded(await hex(caller)).value).toHaveLength(32);
  });

  it('but 500 INTERNAL_ERROR in the envelope while sparks is down', async () => {
    const caller = await newCaller();
    await platform.sparks.stop();
    expect(await hex(caller)).toMatchObject({ status: 500, error: { code: 'INTERNAL_ERROR' } });
  });
});
