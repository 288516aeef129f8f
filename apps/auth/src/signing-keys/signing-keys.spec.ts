import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listSigningKeys, readJwks, type JwkSet } from '@vaultsvc/contracts/auth';
import { Database, statement } from '@vaultsvc/database';
import { ReadinessChecks, type RunningService } from '@vaultsvc/service';
import { type Harness, internalContext, startHarness } from '@vaultsvc/testing/harness';
import { startKms, type TestServer } from '@vaultsvc/testing/servers';
import { eventually } from '@vaultsvc/testing/waiting';
import { mintSession } from '@vaultsvc/tools-testing/accounts';
import { calculateJwkThumbprint, decodeProtectedHeader } from 'jose';
import { auth } from '../service-definition.js';
import { AccessTokenKeys } from './access-token-keys.js';

const harnesses: Harness[] = [];
let kms: TestServer;

/** A deployment of its own, without any signing key. */
async function newHarness(): Promise<Harness> {
  const harness = await startHarness({ LOG_LEVEL: 'silent' });
  harnesses.push(harness);
  return harness;
}

beforeAll(async () => {
  kms = await startKms();
});
afterAll(async () => {
  await Promise.all(harnesses.map((harness) => harness.stop()));
  await kms.stop();
});

const change = (service: RunningService, name: string, sql: string) =>
  service.context.get(Database).query(statement(`test.${name}`, sql));
const rows = (service: RunningService) =>
  service.context.get(Database).query<{ generation: number; kid: string; wait_s: number; life_s: number }>(
    statement(
      'test.signing-keys',
      `SELECT generation, kid, round(extract(epoch FROM first_use_at - now()))::int AS wait_s,
              round(extract(epoch FROM retire_at - first_use_at))::int AS life_s FROM signing_keys ORDER BY generation`,
    ),
  );
const age = (service: RunningService, interval: string) =>
  change(
    service,
    `age-${interval}`,
    `UPDATE signing_keys SET first_use_at = first_use_at - interval '${interval}', retire_at = retire_at - interval '${interval}'`,
  );
const rotate = (service: RunningService) => service.context.get(AccessTokenKeys).rotate();
/** The ids of the keys of tokens, which begin the key set; a key of receipts follows. */
async function published(harness: Harness): Promise<string[]> {
  const inside = await harness.bus.call(listSigningKeys, {}, internalContext());
  const kids = (JSON.parse(inside.keys_json) as JwkSet).keys.map(({ kid }) => kid);
  const { keys } = await harness.bus.call(readJwks, {}, internalContext());
  expect(keys.slice(0, kids.length).map(({ kid }) => kid)).toEqual(kids);
  expect(keys.length).toBeLessThanOrEqual(kids.length + 1);
  return kids;
}
const signingKid = async (service: RunningService) =>
  decodeProtectedHeader((await mintSession(service)).token).kid;

describe('OPEN-36 OPEN-60: the key set', () => {
  it('contains public Ed25519 keys only, named by thumbprint; services get those of tokens, clients also those of receipts', async () => {
    const harness = await newHarness();
    const service = await harness.start(auth);
    const { keys } = await harness.bus.call(readJwks, {}, internalContext());
    const publicKey = {
      kty: 'OKP',
      crv: 'Ed25519',
      alg: 'EdDSA',
      use: 'sig',
      x: expect.stringMatching(/^[\w-]{43}$/),
      kid: expect.any(String),
    };
    expect(keys).toEqual([publicKey, publicKey]);
    for (const { kid, x } of keys)
      expect(kid).toBe(await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x }));
    const inside = await harness.bus.call(listSigningKeys, {}, internalContext());
    expect(JSON.parse(inside.keys_json)).toEqual({ keys: keys.slice(0, 1) });
    expect(await signingKid(service)).toBe(keys[0]?.kid);
  });

  it('has one key when four instances start concurrently on an empty database', async () => {
    const harness = await newHarness();
    const instances = await Promise.all(Array.from({ length: 4 }, () => harness.start(auth)));
    const [first, ...others] = instances as [RunningService, ...RunningService[]];
    expect(await rows(first)).toHaveLength(1);
    const keyIds = await Promise.all(instances.map(signingKid));
    expect(new Set(keyIds)).toEqual(new Set(await published(harness)));
    await Promise.all(others.map((second) => second.stop()));
  });
});

describe('OPEN-60: a signing key of 30 days', () => {
  let harness: Harness;
  let service: RunningService;
  let first: string;
  beforeAll(async () => {
    harness = await newHarness();
    service = await harness.start(auth);
    [first] = (await published(harness)) as [string];
  });

  it('has no successor earlier than a day before its end', async () => {
    await age(service, '28 days 23 hours');
    await rotate(service);
    expect(await rows(service)).toMatchObject([{ generation: 1, life_s: 30 * 86_400 }]);
  });

  it('gets one successor from concurrent instances a day before its end, published long before its first use', async () => {
    const second = await harness.start(auth);
    await age(service, '2 hours');
    await Promise.all([rotate(service), rotate(second), rotate(service), rotate(second)]);
    const [, successor, ...more] = await rows(service);
    expect(more).toEqual([]);
    expect(successor?.wait_s).toBeGreaterThan(22 * 3_600);
    expect(await published(harness)).toEqual([first, successor?.kid]);
    expect(await signingKid(service)).toBe(first);
    await second.stop();
  });

  it('signs until the first use of its successor, and stays published while its tokens are valid', async () => {
    await age(service, '23 hours 1 minute');
    await rotate(service);
    const [, successor] = await rows(service);
    expect(await signingKid(service)).toBe(successor?.kid);
    await age(service, '70 minutes');
    await rotate(service);
    expect(await published(harness)).toEqual([first, successor?.kid]);
  });

  it('is deleted afterwards, with its private part', async () => {
    await age(service, '6 minutes');
    await rotate(service);
    expect(await rows(service)).toMatchObject([{ generation: 2 }]);
    expect(await published(harness)).not.toContain(first);
  });

  it('signs for ten more minutes if its successor is created too late', async () => {
    await age(service, '90 days');
    const [old] = await published(harness);
    await rotate(service);
    const [, successor] = await rows(service);
    expect(successor?.wait_s).toBeGreaterThan(590);
    expect(successor?.wait_s).toBeLessThanOrEqual(600);
    expect(await signingKid(service)).toBe(old);
  });
});

describe('OPEN-51: a private key sealed by KMS', () => {
  it('signs nothing when it is moved to another row', async () => {
    const harness = await newHarness();
    const service = await harness.start(auth);
    await change(service, 'move', `UPDATE signing_keys SET kid = 'moved'`);
    await rotate(service);
    await expect(mintSession(service)).rejects.toMatchObject({ name: 'WrongKey' });
  });

  const fault = (mode: string) =>
    fetch(`${kms.url}/_fault`, { method: 'POST', body: JSON.stringify({ mode }) });
  const checksOf = (service: RunningService) =>
    Promise.all(service.context.get(ReadinessChecks).checks.map(({ check }) => check()));

  it('is created once KMS is up after a first start without it, and no call is taken before', async () => {
    const harness = await newHarness();
    await fault('down');
    const service = await harness.start(auth, { KMS_ENDPOINT: kms.url });
    await expect(checksOf(service)).rejects.toMatchObject({ name: 'NoSigningKey' });
    await expect(published(harness)).rejects.toMatchObject({ reason: 'INTERNAL_ERROR' });
    await fault('none');
    const keys = await eventually(
      () => published(harness).catch(() => []),
      ({ length }) => length > 0,
    );
    expect(keys).toEqual([await signingKid(service)]);
    await checksOf(service);
  });

  it('is published by a running service while KMS is down, and the service stays ready', async () => {
    const harness = await newHarness();
    const service = await harness.start(auth, { KMS_ENDPOINT: kms.url });
    const keys = await published(harness);
    await fault('down');
    try {
      expect(await published(harness)).toEqual(keys);
      expect(keys).toHaveLength(1);
      await checksOf(service);
    } finally {
      await fault('none');
    }
  });
});
