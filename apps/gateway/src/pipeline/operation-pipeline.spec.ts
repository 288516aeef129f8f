import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { mintToken } from '@vaultsvc/crypto/tokens';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api, type Api } from '@vaultsvc/testing/http';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import {
  newApiKey,
  newSession,
  newSigner,
  type Signer,
  fixtureGateway,
  fixtureSettings,
} from '../testing/gateway-fixture.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let fakes: FakeServices;
let url: string;
let signer: Signer;

beforeAll(async () => {
  fakes = (await harness.start(fakeServices)).context.get(FakeServices);
  signer = await newSigner(fakes);
  const gateway = await harness.start(fixtureGateway, fixtureSettings);
  url = urlOf(gateway);
});

/** A client of a new account. */
const withKey = (changes = {}): Api & { accountId: string } => {
  const { key, record } = newApiKey(fakes, changes);
  return { ...api(url, { key }), accountId: record.accountId as string };
};
const widget = { text: 'a', size: 7 };
/** The fake service finds each id that does not end in 0. */
const spk = () => newId('spk_').slice(0, -1) + '1';
describe('AMB-13: the order of errors', () => {
  const huge = Buffer.alloc(3 * 1_024 * 1_024, 'a');

  it('TRAP 68 ENV-40: puts 401 before errors of the body', async () => {
    for (const body of ['{', huge]) {
      expect(await api(url).send({ method: 'POST', target: '/v1/widgets', body })).toMatchObject({
        status: 401,
      });
    }
  });

  it('puts 413 and malformed JSON before 403, and 403 before validation', async () => {
    const { jwt } = await newSession(fakes, signer, { role: 'member' });
    const post = (body: unknown) =>
      api(url, { jwt }).send({ method: 'POST', target: '/v1/admin-widgets', body });
    expect(await post(huge)).toMatchObject({ status: 413, error: { code: 'PAYLOAD_TOO_LARGE' } });
    expect(await post('{')).toMatchObject({ status: 400 });
    expect(await post({ text: 5 })).toMatchObject({ status: 403 });
  });

  it('puts a vault token after 413 and malformed JSON where a body has at most 256 KiB, and before them where it may have more', async () => {
    const post = (path: string, body: unknown, vat = 'unknown') =>
      withKey().send({
        method: 'POST',
        target: `/v1/vaults/${newId('vlt_')}/${path}`,
        body,
        headers: { 'X-Vault-Access-Token': vat },
      });
    for (const [body, status] of [
      [huge, 413],
      ['{', 400],
    ] as const) {
      expect(await post('secret-widgets', body)).toMatchObject({ status });
      expect(await post('widgets', body)).toMatchObject({ status: 401 });
      expect(await post('widgets', body, 'no-vault')).toMatchObject({ status: 404 });
      expect(await post('widgets', body, 'good')).toMatchObject({ status });
    }
  });

  it('OPEN-61: puts role before vault token, vault token before vault, and vault before validation', async () => {
    const vault = newId('vlt_');
    const post = (vat: string | undefined, body: unknown, id = vault) =>
      withKey().send({
        method: 'POST',
        target: `/v1/vaults/${id}/widgets`,
        body,
        headers: vat === undefined ? {} : { 'X-Vault-Access-Token': vat },
      });
    const invalid = { text: 5 };
    expect(await post(undefined, invalid)).toMatchObject({
      status: 401,
      error: { code: 'AUTHENTICATION_ERROR' },
    });
    expect(await post('unknown', invalid)).toMatchObject({ status: 401 });
    expect(await post('no-vault', invalid)).toMatchObject({ status: 404 });
    expect(await post('good', invalid, 'vlt_malformed')).toMatchObject({ status: 404 });
    expect(await post('good', invalid)).toMatchObject({ status: 400 });
    expect(await post('good', widget)).toMatchObject({ status: 200 });
    const request = fakes.calls.findLast(({ operation }) => operation === 'vault-session');
    expect(request?.input).toEqual({ vault_id: vault, vat: 'good', level: 'write' });
  });

  it('VAT-06 AMB-10: makes a missing token 401, or 400 where the contract says so, and an unknown one 401 everywhere', async () => {
    const post = (path: string, vat: string | undefined) =>
      withKey().send({
        method: 'POST',
        target: `/v1/vaults/${newId('vlt_')}/${path}`,
        body: { text: 5 },
        headers: vat === undefined ? {} : { 'X-Vault-Access-Token': vat },
      });
    for (const missing of [undefined, '']) {
      expect(await post('widgets', missing)).toMatchObject({
        status: 401,
        error: { code: 'AUTHENTICATION_ERROR', details: { reason: 'VAT_MISSING' } },
      });
      expect(await post('secret-widgets', missing)).toMatchObject({
        status: 400,
        error: {
          message: 'X-Vault-Access-Token must be present',
          details: { fields: [{ field: 'X-Vault-Access-Token' }] },
        },
      });
    }
    const ended = mintToken('vat').text;
    fakes.endedVats.add(ended);
    for (const path of ['widgets', 'secret-widgets'])
      for (const [vat, reason] of [
        ['unknown', 'VAT_MALFORMED'],
        ['x'.repeat(201), 'VAT_MALFORMED'],
        [ended, 'AUTHENTICATION_ERROR'],
      ] as const)
        expect(await post(path, vat)).toMatchObject({ status: 401, error: { details: { reason } } });
  });

  it('OPEN-61: passes the accepted vault token and its access level to the handler', async () => {
    const answer = await withKey().send({
      method: 'POST',
      target: `/v1/vaults/${newId('vlt_')}/secret-widgets`,
      body: widget,
      headers: { 'X-Vault-Access-Token': 'good' },
    });
    expect(answer).toMatchObject({ status: 200 });
    const { context } = fakes.calls.findLast(({ operation }) => operation === 'secret') ?? {};
    expect(context?.vault).toEqual({ token: 'good', accessLevel: 'read_write' });
    await withKey().send({ method: 'POST', target: '/v1/widgets', body: widget });
    expect(fakes.calls.at(-1)?.context.vault).toBeUndefined();
  });

  it('OPEN-55 AMB-58: answers a malformed id as an unknown one, after errors of the query', async () => {
    const caller = withKey();
    const get = (target: string) => caller.send({ method: 'GET', target });
    const unknown = await get(`/v1/widgets/${newId('spk_').slice(0, -1)}0`);
    expect(unknown).toMatchObject({ status: 404, error: { code: 'NOT_FOUND', message: 'Spark not found.' } });
    for (const id of ['spk_1', '%ZZ', '%ff', 'a%2Fb', '%00', `${spk()}x`])
      expect((await get(`/v1/widgets/${id}`)).error).toEqual(unknown.error);
    expect(await caller.send({ method: 'DELETE', target: '/v1/widgets/spk_1' })).toMatchObject({
      status: 204,
    });
  });
});

describe('ENV-20 ENV-29: input validation', () => {
  it.each([
    ['wrong types', { text: 5 }, undefined],
    ['an array', [], undefined],
    ['text that is not JSON', '{"text":', undefined],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), undefined],
    ['endless nesting', '['.repeat(100_000), undefined],
    ['another content type', 'text=a', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['a compressed body', '{}', { 'Content-Encoding': 'gzip' }],
    ['nothing', undefined, undefined],
    ['TRAP 67: a number as text', { text: 'a', size: '7' }, undefined],
  ])('refuses %s with 400 VALIDATION_ERROR', async (_, body, headers) => {
    const answer = await withKey().send({ method: 'POST', target: '/v1/widgets', body, headers });
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
  });

  it('TRAP 66 AMB-51: ignores unknown properties and parameters, and names them in X-Ignored', async () => {
    const answer = await withKey().send({
      method: 'POST',
      target: '/v1/widgets?ttl=5',
      body: '{"text":"a","more":1,"__proto__":{"x":1}}',
    });
    expect(answer).toMatchObject({ status: 201, data: { text: 'a', size: 7 } });
    expect(answer.headers['x-ignored']).toBe('ttl, more, __proto__');
  });

  it('AMB-51: names them in errors that follow the input too, and sends no X-Ignored without them', async () => {
    const caller = withKey();
    const post = (body: object) => caller.send({ method: 'POST', target: '/v1/widgets', body });
    const nested = { text: 'SPARK_BURNED', size: 1, source: {} };
    expect(await post(nested)).toMatchObject({ status: 403, headers: { 'x-ignored': 'source' } });
    expect(await post({ text: 5, source: 1 })).toMatchObject({
      status: 400,
      headers: { 'x-ignored': 'source' },
    });
    expect((await post({ text: 'a', size: 1 })).headers['x-ignored']).toBeUndefined();
    const list = await caller.send({ method: 'GET', target: '/v1/widgets?limit=1&shade=red' });
    expect(list).toMatchObject({ status: 200, headers: { 'x-ignored': 'shade' } });
  });

  it('AMB-51: refuses names that are near declared ones, ahead of other problems, and calls no service', async () => {
    const caller = withKey();
    const widgetCalls = () =>
      fakes.calls.filter(({ context }) => context.credential.kind !== 'service').length;
    const earlier = widgetCalls();
    const misspelled = { code: 'VALIDATION_ERROR', details: { reason: 'FIELD_MISSPELLED' } };
    const body = await caller.send({
      method: 'POST',
      target: '/v1/widgets',
      body: { text: 5, Size: 1, sise: 1, more: 1 },
    });
    expect(body).toMatchObject({ status: 400, error: misspelled, headers: { 'x-ignored': 'more' } });
    expect(body.error).toMatchObject({
      message: 'Size: did you mean size?',
      details: {
        fields: [
          { field: 'Size', message: 'did you mean size?' },
          { field: 'sise', message: 'did you mean size?' },
        ],
      },
    });
    const query = await caller.send({ method: 'GET', target: '/v1/widgets?color=red&limit=0' });
    expect(query).toMatchObject({
      status: 400,
      error: { ...misspelled, message: 'color: did you mean colour?' },
    });
    expect(widgetCalls()).toBe(earlier);
  });

  it('ENV-20: puts the first invalid field and its rule into the message, without its value', async () => {
    const answer = await withKey().send({
      method: 'POST',
      target: '/v1/widgets',
      body: { text: 'a', size: 4_711 },
    });
    expect(answer.error).toMatchObject({
      message: 'size must be an integer from 1 to 10',
      details: { fields: [{ field: 'size' }], reason: 'VALIDATION_ERROR' },
    });
    expect(JSON.stringify(answer.error)).not.toContain('4711');
  });

  it('ENV-29: names the limit that a body exceeds', async () => {
    const body = 'a'.repeat(3 * 1_024 * 1_024);
    expect(await withKey().send({ method: 'POST', target: '/v1/widgets', body })).toMatchObject({
      status: 413,
      error: {
        message: 'The body exceeds 2,097,152 bytes.',
        details: { limit_of: 'body', limit_bytes: 2_097_152 },
      },
    });
  });

  it("OPEN-06: enforces the contract's body limit to the byte, by declared and by counted length", async () => {
    const body = (bytes: number) => JSON.stringify({ text: 'a'.repeat(bytes - '{"text":""}'.length) });
    const cap = 64 * 1_024;
    const post = (text: string, chunked: boolean) =>
      api(url).send({
        method: 'POST',
        target: '/v1/open-widgets',
        body: text,
        headers: chunked ? { 'Transfer-Encoding': 'chunked' } : {},
      });
    expect((await post(body(cap), false)).status).toBe(200);
    for (const chunked of [false, true])
      expect(await post(body(cap + 1), chunked)).toMatchObject({
        status: 413,
        error: { code: 'PAYLOAD_TOO_LARGE' },
      });
  });

  it('TRAP 6: accepts 256,000 escaped characters within the default limit', async () => {
    const text = '\\u0041'.repeat(256_000);
    expect(
      await withKey().send({ method: 'POST', target: '/v1/widgets', body: `{"text":"${text}"}` }),
    ).toMatchObject({ status: 201 });
  });

  it('refuses a repeated or malformed query parameter with 400', async () => {
    for (const query of ['limit=1&limit=2', 'limit=1e1', 'limit=0', 'cursor=a&cursor=b', 'colour=green']) {
      expect(await withKey().send({ method: 'GET', target: `/v1/widgets?${query}` })).toMatchObject({
        status: 400,
      });
    }
  });
});
