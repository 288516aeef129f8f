import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startTransit, transitKeyOf, type TestServer } from '@vaultsvc/testing/servers';
import { Secret } from '@vaultsvc/config';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kms, KmsUnavailable, Tampered, type TransitSettings } from '../index.js';

const context = { svc: 'vaults', purpose: 'vault-share', vault_id: 'vlt_1' };
const secret = new Secret('secret-of-tests');

let server: TestServer;
let folder: string;
beforeAll(async () => {
  [server, folder] = await Promise.all([startTransit(), mkdtemp(join(tmpdir(), 'vaultsvc-transit-'))]);
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => Promise.all([server.stop(), rm(folder, { recursive: true })]));

function connect(settings: Partial<TransitSettings> = {}, keyName = 'vk-root'): Kms {
  return new Kms({ key: { ...transitKeyOf(server.url, keyName), ...settings }, timeoutMs: 20_000 });
}

/** What an operator of the server does. Returns the number of logins so far. */
async function operate(action: object = {}): Promise<number> {
  const answer = await fetch(`${server.url}/_operate`, { method: 'POST', body: JSON.stringify(action) });
  return ((await answer.json()) as { logins: number }).logins;
}

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: KmsUnavailable) => error.reason,
  );

describe('OPEN-45: random data of transit', () => {
  it('is refused at once unless a setting names a hardware source', async () => {
    const kms = connect({ random: 'refused' });
    expect(await reasonOf(kms.generateRandom(16))).toBe('NoHardwareSource');
    expect(await kms.decrypt((await kms.generateDataKey(context)).wrapped, context)).toHaveLength(32);
  });

  it.each(['seal', 'platform'] as const)('is drawn from the named source: %s', async (random) => {
    const fetching = jest.spyOn(globalThis, 'fetch');
    expect((await connect({ random }).generateRandom(16)).random).toHaveLength(16);
    expect(fetching.mock.lastCall?.[0]).toBe(`${server.url}/v1/transit/random/${random}/16`);
  });
});

describe('SPK-50: a key of transit', () => {
  it('that is not derived is refused: it would ignore the encryption context', async () => {
    const kms = connect({}, 'vk-plain');
    expect(await reasonOf(kms.generateDataKey(context))).toBe('KeyNotDerived');
    expect(await reasonOf(kms.encrypt(Buffer.from('x'), context))).toBe('KeyNotDerived');
  });

  it('keeps its ciphertexts readable when it is rotated, and rewraps them with the newest version', async () => {
    const kms = connect({}, 'vk-system');
    const { plaintext, wrapped } = await kms.generateDataKey(context);
    expect(await kms.rewrap(wrapped, context)).toBeUndefined();
    await operate({ rotate: 'vk-system' });
    const later = connect({}, 'vk-system');
    expect(await later.decrypt(wrapped, context)).toEqual(plaintext);
    const rewrapped = (await later.rewrap(wrapped, context)) as Buffer;
    expect(await later.rewrap(rewrapped, context)).toBeUndefined();
    await operate({ retire: 'vk-system', version: 2 });
    expect(await later.decrypt(rewrapped, context)).toEqual(plaintext);
    // The operator can allow the version again: the ciphertext is not called tampered.
    await expect(later.decrypt(wrapped, context)).rejects.toThrow(KmsUnavailable);
  });
});

describe('OPEN-51: the login at transit', () => {
  it('by AppRole happens once for many calls', async () => {
    const before = await operate();
    const kms = connect();
    await Promise.all(Array.from({ length: 20 }, () => kms.generateRandom(1)));
    expect((await operate()) - before).toBe(1);
  });

  it('is repeated when the token was revoked, and before it ends', async () => {
    const kms = connect();
    await kms.generateRandom(1);
    const before = await operate({ revoke: true });
    expect((await kms.generateRandom(1)).random).toHaveLength(1);
    expect((await operate()) - before).toBe(1);
    const now = performance.now();
    // Two thirds of the hour for which the token lives.
    jest.spyOn(performance, 'now').mockReturnValue(now + 2_410_000);
    await kms.generateRandom(1);
    expect((await operate()) - before).toBe(2);
  });

  it('works with a token, from a setting or a file that is replaced', async () => {
    const token = `test.${secret.reveal()}`;
    expect(
      (await connect({ auth: 'token', secret: new Secret(token) }).generateRandom(1)).random,
    ).toHaveLength(1);
    const secretFile = join(folder, 'token');
    await writeFile(secretFile, 'a token that ended');
    const kms = connect({ auth: 'token', secretFile });
    expect(await reasonOf(kms.generateRandom(1))).toBe('Http403');
    await writeFile(secretFile, `${token}\n`);
    expect((await kms.generateRandom(1)).random).toHaveLength(1);
  });

  it('works with the service account of Kubernetes, whose file is read at each login', async () => {
    const secretFile = join(folder, 'jwt');
    await writeFile(secretFile, secret.reveal());
    const kms = connect({ auth: 'kubernetes', authMount: 'kubernetes', role: 'sparks', secretFile });
    expect((await kms.generateRandom(1)).random).toHaveLength(1);
  });

  it('is refused with a wrong secret, at once and without its text', async () => {
    const kms = connect({ secret: new Secret('wrong-secret') });
    const outcome = await kms.generateRandom(1).catch((error: unknown) => error);
    expect(outcome).toMatchObject({ name: 'KmsUnavailable', reason: 'LoginRefused' });
    expect(String((outcome as Error).stack)).not.toContain('wrong-secret');
  });

  it('lets a service use its own key alone', async () => {
    const { wrapped } = await connect({ role: 'sparks' }).generateDataKey(context);
    expect(await reasonOf(connect({ role: 'vaults' }).decrypt(wrapped, context))).toBe('Http403');
    expect(await reasonOf(connect({ role: 'auth' }).generateRandom(1))).toBe('Http403');
  });
});

describe('MISC-03: what is stored of transit', () => {
  it('is its ciphertext behind a mark, and nothing else opens', async () => {
    const kms = connect();
    const { wrapped } = await kms.generateDataKey(context);
    const [mark, text] = [wrapped.subarray(0, 3), wrapped.subarray(3).toString('latin1')];
    expect(mark).toEqual(Buffer.from([0x56, 0x54, 1]));
    expect(text).toMatch(/^vault:v\d+:[A-Za-z0-9+/=]+$/);
    await expect(kms.decrypt(Buffer.from('VT\x01../../sys/seal'), context)).rejects.toThrow(Tampered);
  });
});
