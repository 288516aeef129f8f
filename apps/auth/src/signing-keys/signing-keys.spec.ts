import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceContext } from '@vaultsvc/contracts';
import { createApiKey, listSigningKeys, readJwks } from '@vaultsvc/contracts/auth';
import { Database, statement } from '@vaultsvc/database';
import { ReadinessChecks, type RunningService } from '@vaultsvc/service';
import { startHarness, type Harness } from '@vaultsvc/testing/harness';
import { startKms, type TestServer } from '@vaultsvc/testing/servers';
import { until } from '@vaultsvc/testing/waiting';
import { mintApiKey, mintSession } from '@vaultsvc/tools-testing/accounts';
import { calculateJwkThumbprint, decodeProtectedHeader } from 'jose';
import { auth } from '../service-definition.js';
import { SigningKeys } from './signing-keys.js';

const harnesses: Harness[] = [];
let kms: TestServer;

/** A platform of its own: no signing key has ever been made in it. */
async function fresh(): Promise<Harness> {
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
const rotate = (service: RunningService) => service.context.get(SigningKeys).rotate();
const published = async (harness: Harness) =>
  (await harness.bus.call(readJwks, {}, serviceContext('t'))).keys.map(({ kid }) => kid);
const signingKid = async (service: RunningService) =>
  decodeProtectedHeader((await mintSession(service)).token).kid;

describe('OPEN-36 OPEN-60: the key set', () => {
  it('holds public Ed25519 keys and nothing private, named by their thumbprints, the same inside and outside', async () => {
    const harness = await fresh();
    const service = await harness.start(auth);
    const { keys } = await harness.bus.call(readJwks, {}, serviceContext('t'));
    expect(keys).toEqual([
      {
        kty: 'OKP',
        crv: 'Ed25519',
        alg: 'EdDSA',
        use: 'sig',
        x: expect.stringMatching(/^[\w-]{43}$/),
        kid: expect.any(String),
      },
    ]);
    const [key] = keys;
    expect(key?.kid).toBe(await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x: key?.x ?? '' }));
    const inside = await harness.bus.call(listSigningKeys, {}, serviceContext('t'));
    expect(JSON.parse(inside.keys_json)).toEqual({ keys });
    expect(await signingKid(service)).toBe(key?.kid);
  });

  it('four copies that start at once on an empty database agree on one key', async () => {
    const harness = await fresh();
    const copies = await Promise.all(Array.from({ length: 4 }, () => harness.start(auth)));
    const [first, ...others] = copies as [RunningService, ...RunningService[]];
    expect(await rows(first)).toHaveLength(1);
    const kids = await Promise.all(copies.map(signingKid));
    expect(new Set(kids)).toEqual(new Set(await published(harness)));
    await Promise.all(others.map((copy) => copy.stop()));
  });
});

describe('OPEN-60: keys are replaced every 30 days', () => {
  let harness: Harness;
  let service: RunningService;
  let first: string;
  beforeAll(async () => {
    harness = await fresh();
    service = await harness.start(auth);
    [first] = (await published(harness)) as [string];
  });

  it('a young key has no successor', async () => {
    await age(service, '28 days 23 hours');
    await rotate(service);
    expect(await rows(service)).toMatchObject([{ generation: 1, life_s: 30 * 86_400 }]);
  });

  it('a day before the end its successor is made, once by all copies, and published long before its first use', async () => {
    const copy = await harness.start(auth);
    await age(service, '2 hours');
    await Promise.all([rotate(service), rotate(copy), rotate(service), rotate(copy)]);
    const [, successor, ...more] = await rows(service);
    expect(more).toEqual([]);
    expect(successor?.wait_s).toBeGreaterThan(22 * 3_600);
    expect(await published(harness)).toEqual([first, successor?.kid]);
    expect(await signingKid(service)).toBe(first);
    await copy.stop();
  });

  it('the successor signs from its first use, and the old key stays published while its tokens live', async () => {
    await age(service, '23 hours 1 minute');
    await rotate(service);
    const [, successor] = await rows(service);
    expect(await signingKid(service)).toBe(successor?.kid);
    await age(service, '70 minutes');
    await rotate(service);
    expect(await published(harness)).toEqual([first, successor?.kid]);
  });

  it('then the old key is gone, with its private part', async () => {
    await age(service, '6 minutes');
    await rotate(service);
    expect(await rows(service)).toMatchObject([{ generation: 2 }]);
    expect(await published(harness)).not.toContain(first);
  });

  it('a successor that is made too late still waits ten minutes, and the old key signs meanwhile', async () => {
    await age(service, '90 days');
    const [old] = await published(harness);
    await rotate(service);
    const [, successor] = await rows(service);
    expect(successor?.wait_s).toBeGreaterThan(590);
    expect(successor?.wait_s).toBeLessThanOrEqual(600);
    expect(await signingKid(service)).toBe(old);
  });
});

describe('OPEN-51: private keys are sealed by key management', () => {
  it('a sealed key that was moved to another row signs nothing', async () => {
    const harness = await fresh();
    const service = await harness.start(auth);
    await change(service, 'move', `UPDATE signing_keys SET kid = 'moved'`);
    await rotate(service);
    await expect(mintSession(service)).rejects.toMatchObject({ name: 'WrongKey' });
  });

  it('without KMS at the first start API keys work, the service is not ready, and it heals by itself', async () => {
    const harness = await fresh();
    const fault = (mode: string) =>
      fetch(`${kms.url}/_fault`, { method: 'POST', body: JSON.stringify({ mode }) });
    await fault('down');
    const service = await harness.start(auth, { KMS_ENDPOINT: kms.url });
    const ready = () => Promise.all(service.context.get(ReadinessChecks).checks.map(({ check }) => check()));
    await expect(ready()).rejects.toMatchObject({ name: 'NoSigningKey' });
    await expect(mintSession(service)).rejects.toMatchObject({ name: 'KmsUnavailable' });
    expect(await published(harness)).toEqual([]);
    const { context } = await mintApiKey(service);
    expect(await harness.bus.call(createApiKey, { body: { name: 'without KMS' } }, context)).toMatchObject({
      name: 'without KMS',
    });
    await fault('none');
    await until(async () => (await ready()).length > 0);
    expect(await published(harness)).toEqual([await signingKid(service)]);
  });

  it('with a key already made, a start without KMS is ready, and verifiers get their keys', async () => {
    const harness = await fresh();
    await (await harness.start(auth)).stop();
    const service = await harness.start(auth, { KMS_ENDPOINT: 'http://127.0.0.1:1' });
    expect(await published(harness)).toHaveLength(1);
    await Promise.all(service.context.get(ReadinessChecks).checks.map(({ check }) => check()));
    await expect(mintSession(service)).rejects.toMatchObject({ name: 'KmsUnavailable' });
  });
});
