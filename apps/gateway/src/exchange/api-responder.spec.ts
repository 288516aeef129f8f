import { beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { PoolAvailability } from '@vaultsvc/contracts';
import { newId } from '@vaultsvc/crypto/encoding';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api, type ApiResponse, type Api } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import * as widgets from '../testing/test-operations.js';
import {
  poolSnapshot,
  isCounted,
  newApiKey,
  fixtureGateway,
  fixtureSettings,
} from '../testing/gateway-fixture.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let fakes: FakeServices;
let url: string;

beforeAll(async () => {
  fakes = (await harness.start(fakeServices)).context.get(FakeServices);
  const gateway = await harness.start(fixtureGateway, fixtureSettings);
  url = urlOf(gateway);
});

/** A client of a new account. */
const withKey = (changes = {}): Api & { accountId: string } => {
  const { key, record } = newApiKey(fakes, changes);
  return { ...api(url, { key }), accountId: record.accountId as string };
};
const widget = { text: 'a', size: 7 };
/** Retries until reporting provided a pool snapshot in time; without one the call proceeds (MISC-01). */
const withPoolSnapshot = (call: () => Promise<ApiResponse>) =>
  eventually(call, ({ meta }) => meta !== undefined && 'pools' in meta);
/** The pools in the context that the handler receives, once they satisfy the condition. */
const poolsReported = (caller: Api, holds: (pools: PoolAvailability | undefined) => boolean) =>
  eventually(async () => {
    await caller.call(widgets.createWidget, { body: widget });
    return fakes.calls.at(-1)?.context.pools;
  }, holds);
/** The fake service finds each id that does not end in 0. */
const spk = () => newId('spk_').slice(0, -1) + '1';
describe('ENV-01 ENV-03 ENV-04 ENV-06 ENV-07 ENV-08: a success response', () => {
  it('ENV-38: has the reply in data and exactly the documented meta', async () => {
    const answer = await withPoolSnapshot(() => withKey().call(widgets.createWidget, { body: widget }));
    expect(answer.status).toBe(201);
    expect(answer.data).toMatchObject({ text: 'a', size: 7, caller: 'api_key' });
    expect(Object.keys(answer.meta ?? {}).sort()).toEqual([
      'api_version',
      'pools',
      'quota',
      'request_id',
      'response_ms',
      'timestamp',
    ]);
    expect(answer.meta?.api_version).toBe('9.9.9');
  });

  it('ENV-09 ENV-10: has quota when authenticated, pools when billable, neither otherwise', async () => {
    const caller = withKey();
    const read = await caller.call(widgets.readWidget, { params: { widget_id: spk() } });
    expect(read.meta).toHaveProperty('quota');
    expect(read.meta).not.toHaveProperty('pools');
    const open = await api(url).call(widgets.useWidgetPublicly, { body: widget });
    expect(open.meta).not.toHaveProperty('quota');
    expect(open.meta).not.toHaveProperty('pools');
    const refused = await caller.call(widgets.createWidget, {
      body: { text: 'SPARK_READ_IN_FLIGHT', size: 1 },
    });
    expect(refused).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
  });

  it('ENV-11 ENV-12 OPEN-03: has pools with pct and state, and bandwidth with the end of its cycle', async () => {
    const answer = await withPoolSnapshot(() => withKey().call(widgets.createWidget, { body: widget }));
    const meta = answer.meta as { pools: object };
    expect(meta.pools).toEqual({
      storage: { used: 1, limit: 10, pct: 0.1, state: 'ok' },
      bandwidth: { used: 30, limit: 40, pct: 0.75, state: 'notice', cycle_resets_at: 1_900_000_000 },
      identity: { used: 5, limit: 5, pct: 1, state: 'exhausted' },
    });
  });

  it('OPEN-58: follows a call whose context has the plan and the exhausted pools', async () => {
    const caller = withKey();
    fakes.poolSnapshots.set(caller.accountId, poolSnapshot({ plan: 'none', storage: { used: 9, limit: 9 } }));
    const reported = await poolsReported(caller, (pools) => pools?.plan === 'none');
    expect(reported).toEqual({ plan: 'none', exhausted: ['storage'] });
  });

  it('ENT-20: follows a call whose context has the length of the raw body, if the operation is billable', async () => {
    const post = (body: string, target = '/v1/widgets') => withKey().send({ method: 'POST', target, body });
    await post('{ "text" : "\\u00e9\u00e9" }');
    expect(fakes.calls.at(-1)?.context.requestBytes).toBe(23);
    await post('{"text":"a"}', '/v1/admin-widgets');
    expect(fakes.calls.at(-1)).toMatchObject({ operation: 'administer' });
    expect(fakes.calls.at(-1)?.context).not.toHaveProperty('requestBytes');
  });

  it('ENV-42: has no body with status 204', async () => {
    expect(await withKey().call(widgets.deleteWidget, { params: { widget_id: spk() } })).toMatchObject({
      status: 204,
    });
  });

  it('ENV-07: has a new request id each time, never that of the caller', async () => {
    const caller = withKey();
    const ids = await Promise.all(
      Array.from(
        { length: 100 },
        async () =>
          (await caller.send({ method: 'GET', target: '/v1/widgets', headers: { 'X-Request-Id': 'mine' } }))
            .meta?.request_id,
      ),
    );
    expect(new Set(ids).size).toBe(100);
  });

  it('ENV-12 OPEN-04: is based on a new pool snapshot once the bandwidth cycle of the cached one has ended', async () => {
    const caller = withKey();
    const lastCycle = { used: 9, limit: 9, cycle_resets_at: Math.floor(Date.now() / 1000) - 1 };
    fakes.poolSnapshots.set(caller.accountId, poolSnapshot({ version: 1, bandwidth: lastCycle }));
    await poolsReported(caller, (pools) => pools?.exhausted[0] === 'bandwidth');
    fakes.poolSnapshots.set(caller.accountId, poolSnapshot({ version: 2, storage: { used: 9, limit: 9 } }));
    const reported = await poolsReported(caller, (pools) => pools?.exhausted[0] === 'storage');
    expect(reported).toEqual({ plan: 'active', exhausted: ['storage'] });
  });

  it('OPEN-56: has no envelope for a bare document, which may be cached', async () => {
    const answer = await api(url).call(widgets.readDocument, {});
    expect(answer.data).toEqual({ number: 1 });
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=120',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
  });

  it('OPEN-10 OPEN-56: of health needs no credential and is not counted', async () => {
    const answer = await api(url).send({ method: 'GET', target: '/v1/health' });
    expect(answer).toMatchObject({ status: 200, data: { status: 'ok' } });
    expect(answer.headers.ratelimit).toBeUndefined();
  });
});

describe('ENV-23 ENV-24 ENV-25 ENV-26 ENV-27 AMB-12: the error response for a reason of a service', () => {
  it.each([
    ['PLAN_REQUIRED', 402, 'PLAN_REQUIRED'],
    ['QUOTA_EXCEEDED', 402, 'QUOTA_EXCEEDED'],
    ['SPARK_BURNED', 403, 'FORBIDDEN'],
    ['KINDLING_NOT_FOUND', 404, 'NOT_FOUND'],
    ['SPARK_READ_IN_FLIGHT', 409, 'CONFLICT'],
    ['PAYLOAD_TOO_LARGE', 413, 'PAYLOAD_TOO_LARGE'],
  ])(
    '%s has status %i and code %s with details, its reason and where it is explained',
    async (text, status, code) => {
      const answer = await withKey().call(widgets.createWidget, { body: { text, size: 1 } });
      const docs = expect.stringMatching(new RegExp(`/docs/errors#${text}$`));
      const details = { resource: 'storage', reason: text, docs };
      expect(answer).toMatchObject({ status, error: { code, details } });
    },
  );

  it('ENV-30: that the contract does not declare is 500 without further details', async () => {
    const answer = await withKey().call(widgets.createWidget, {
      body: { text: 'API_KEY_NOT_FOUND', size: 1 },
    });
    expect(answer).toMatchObject({ status: 500, error: { code: 'INTERNAL_ERROR' } });
    expect(Object.keys(answer.error?.details ?? {})).toEqual(['reason', 'docs']);
  });
});

describe('MISC-03: the log of a request', () => {
  it('is one line with the route template, never with path, query, body or credential', async () => {
    const lines: string[] = [];
    const keep = (line: unknown) => void lines.push(JSON.stringify(line));
    Logger.overrideLogger({ log: keep, warn: keep, error: keep });
    const { key, record } = newApiKey(fakes);
    const id = spk();
    const headers = { 'X-Request-Id': 'theirs-1' };
    await api(url, { key }).send({ method: 'GET', target: `/v1/widgets/${id}?secret=canary-query`, headers });
    await api(url, { key }).send({ method: 'POST', target: '/v1/widgets', body: '{"text":"canary-body"' });
    await api(url).send({ method: 'GET', target: '/v1/canary-path' });
    const counted = lines.filter(isCounted);
    expect(counted).toHaveLength(3);
    expect(JSON.parse(counted[0] as string)).toMatchObject({
      method: 'GET',
      route: '/v1/widgets/{widget_id}',
      status: 200,
      accountId: record.accountId,
      client_request_id: 'theirs-1',
    });
    expect(lines.join('')).not.toMatch(new RegExp(`canary|${id}|${key}`));
  });
});
