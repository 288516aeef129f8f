import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { lookupHash, mintToken } from '@vaultsvc/crypto/tokens';
import { useHarness, useRedisInspector } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api, type Api } from '@vaultsvc/testing/http';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import {
  credentialRecord,
  fixtureGateway,
  fixtureSettings,
  newApiKey,
  newSession,
  newSigner,
  poolSnapshot,
  type Signer,
} from '../testing/gateway-fixture.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
/** What an attacker has: write access to Redis, and no key. */
const redis = useRedisInspector();
let fakes: FakeServices;
let signer: Signer;
let url: string;

beforeAll(async () => {
  fakes = (await harness.start(fakeServices)).context.get(FakeServices);
  signer = await newSigner(fakes);
  url = urlOf(await harness.start(fixtureGateway, fixtureSettings));
});

const post = { method: 'POST', target: '/v1/widgets', body: { text: 'a' } };
const administer = { method: 'POST', target: '/v1/admin-widgets', body: { text: 'a' } };
const send = (caller: Api, request = post) => caller.send(request);
const nameOf = (key: string) => `cred:k:${key}`;

describe('OPEN-51 OPEN-52: who can write Redis', () => {
  it('is not admitted by a record of an invented API key', async () => {
    const { text, bytes } = mintToken('apikey');
    const record = JSON.stringify(credentialRecord());
    await redis.command('SET', nameOf(lookupHash('apikey', bytes).toString('hex')), record);
    expect(await send(api(url, { key: text }))).toMatchObject({
      status: 401,
      error: { code: 'AUTHENTICATION_ERROR' },
    });
  });

  it('does not become an owner by changing the record of a member', async () => {
    const { jwt, record } = await newSession(fakes, signer, { role: 'member' });
    const member = api(url, { jwt });
    expect((await send(member)).status).toBe(201);
    const name = `cred:s:${record.credentialId}`;
    const stored = String(await redis.command('GET', name));
    await redis.command('SET', name, stored.replace('"role":"member"', '"role":"owner"'));
    expect(await send(member, administer)).toMatchObject({ status: 403 });
  });

  it('does not enter another account by storing its record under the own key', async () => {
    const [victim, attacker] = [newApiKey(fakes), newApiKey(fakes)];
    for (const { key } of [victim, attacker]) expect((await send(api(url, { key }))).status).toBe(201);
    const names = ((await redis.command('KEYS', 'cred:k:*')) as string[]).toSorted();
    const texts = await Promise.all(names.map((name) => redis.command('GET', name)));
    const ofVictim = texts.find((text) => String(text).includes(victim.record.accountId ?? '')) as string;
    await Promise.all(names.map((name) => redis.command('SET', name, ofVictim)));
    expect(await send(api(url, { key: attacker.key }))).toMatchObject({
      status: 201,
      data: { account_id: attacker.record.accountId },
    });
  });

  it('locks nobody out by a forged revocation', async () => {
    const { key, record } = newApiKey(fakes);
    const caller = api(url, { key });
    expect((await send(caller)).status).toBe(201);
    const names = (await redis.command('KEYS', 'cred:k:*')) as string[];
    const revoked = JSON.stringify({ ...record, version: 999, status: 'revoked' });
    await Promise.all(names.map((name) => redis.command('SET', name, revoked)));
    expect((await send(caller)).status).toBe(201);
  });

  it('gives no account more than its pools', async () => {
    const { key, record } = newApiKey(fakes);
    const caller = api(url, { key });
    const accountId = record.accountId ?? newId('acc_');
    expect((await send(caller)).status).toBe(201);
    const plenty = poolSnapshot({ version: 999, storage: { used: 0, limit: 999 } });
    await redis.command('SET', `funds:${accountId}`, JSON.stringify(plenty));
    const { meta } = await send(caller);
    expect(meta).toMatchObject({ pools: { storage: { limit: 10 } } });
  });
});
