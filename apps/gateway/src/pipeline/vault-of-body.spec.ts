import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api } from '@vaultsvc/testing/http';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import {
  fixtureGateway,
  fixtureSettings,
  newApiKey,
  newSession,
  newSigner,
  type Signer,
} from '../testing/gateway-fixture.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let fakes: FakeServices;
let url: string;
let signer: Signer;
beforeAll(async () => {
  fakes = (await harness.start(fakeServices)).context.get(FakeServices);
  signer = await newSigner(fakes);
  url = urlOf(await harness.start(fixtureGateway, fixtureSettings));
});

const requestOf = (body: unknown, vat?: string) => ({
  method: 'POST',
  target: '/v1/sourced-widgets',
  body,
  headers: (vat === undefined ? {} : { 'X-Vault-Access-Token': vat }) as Record<string, string>,
});
const post = (body: unknown, vat?: string) =>
  api(url, { key: newApiKey(fakes).key }).send(requestOf(body, vat));
/** Calls of the fake services since the last call of this function. */
function callsSince(): string[] {
  const names = fakes.calls.map(({ operation }) => operation).filter((name) => name !== 'resolve');
  fakes.calls.length = 0;
  return names;
}

const vault_id = newId('vlt_');
const sourced = { text: 'a', source: { vault_id } };

describe('AMB-13 OPEN-64: an operation whose body may name a vault', () => {
  it('needs no token without the field, and ignores one', async () => {
    callsSince();
    for (const vat of [undefined, 'unknown', 'good'])
      expect(await post({ text: 'a' }, vat)).toMatchObject({ status: 200 });
    expect(fakes.calls.at(-1)?.context.vault).toBeUndefined();
    expect(callsSince()).toEqual(['vault-of-body', 'vault-of-body', 'vault-of-body']);
  });

  it('OPEN-61: needs a token of that vault and of its level with the field, and passes both to the handler', async () => {
    expect(await post(sourced, 'good')).toMatchObject({ status: 200 });
    const request = fakes.calls.findLast(({ operation }) => operation === 'vault-session');
    expect(request?.input).toEqual({ vault_id, vat: 'good', level: 'write' });
    expect(fakes.calls.at(-1)).toMatchObject({
      operation: 'vault-of-body',
      context: { vault: { token: 'good', accessLevel: 'read_write' } },
    });
  });

  it.each([
    ['without a token', undefined, 401, 'AUTHENTICATION_ERROR'],
    ['with an empty token', '', 401, 'AUTHENTICATION_ERROR'],
    ['with an unknown token', 'unknown', 401, 'AUTHENTICATION_ERROR'],
    ['with a token of more than 200 characters', 'x'.repeat(201), 401, 'AUTHENTICATION_ERROR'],
    ['with a token that may only read', 'read-only', 403, 'FORBIDDEN'],
    ['with a vault of another account', 'of-foreign-vault', 404, 'NOT_FOUND'],
  ])('VAT-08: is refused %s, before its body is validated', async (_, vat, status, code) => {
    callsSince();
    for (const body of [sourced, { ...sourced, text: 5 }])
      expect(await post(body, vat)).toMatchObject({ status, error: { code } });
    expect(callsSince()).not.toContain('vault-of-body');
  });

  it('answers a malformed id of a vault like an unknown one, after the token', async () => {
    for (const id of ['', 'vlt_malformed', newId('ing_')]) {
      const body = { text: 5, source: { vault_id: id } };
      const answers = [await post(body), await post(body, 'good'), await post(sourced, 'of-foreign-vault')];
      expect(answers.map(({ status }) => status)).toEqual([401, 404, 404]);
      expect(answers[1]?.error).toEqual(answers[2]?.error);
    }
  });

  it('leaves a field of another type to the validation of the body', async () => {
    callsSince();
    for (const source of [
      5,
      'vlt_',
      null,
      [],
      {},
      { vault_id: 5 },
      { vault_id: null },
      { vault_id: [vault_id] },
    ])
      expect(await post({ text: 'a', source })).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION_ERROR' },
      });
    for (const body of ['[]', 'null', '5'])
      expect(await post(body)).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
    expect(callsSince()).toEqual([]);
  });

  it('reads own properties of the body only, as its validation does', async () => {
    const hidden = `{"text":"a","__proto__":{"source":{"vault_id":"${vault_id}"}},"source":{"__proto__":{"vault_id":"${vault_id}"}}}`;
    expect(await post(hidden)).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
  });

  it('checks the last one of repeated fields, which is the one that counts', async () => {
    const body = (first: object, last: object) =>
      `{"text":"a","source":${JSON.stringify(first)},"source":${JSON.stringify(last)}}`;
    expect(await post(body({}, { vault_id }))).toMatchObject({ status: 401 });
    expect(await post(body({ vault_id }, { vault_id: 5 }))).toMatchObject({ status: 400 });
  });

  it('puts 413, malformed JSON and the role before the token', async () => {
    const huge = Buffer.alloc(3 * 1_024 * 1_024, 'a');
    expect(await post(huge)).toMatchObject({ status: 413 });
    expect(await post('{')).toMatchObject({ status: 400 });
    const { jwt } = await newSession(fakes, signer, { role: 'member' });
    expect(await api(url, { jwt }).send(requestOf(sourced))).toMatchObject({ status: 403 });
    expect(await api(url).send(requestOf(sourced))).toMatchObject({ status: 401 });
  });
});
