import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { awsKeyOf, startKms, startTransit, transitKeyOf, type TestServer } from '@vaultsvc/testing/servers';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { newKeys, sealKeysFile, writeKeysFile } from './file/index.js';
import { Kms, KmsUnavailable, Tampered, type EncryptionContext, type KeySettings } from './index.js';

const context = { svc: 'sparks', purpose: 'spark-epoch', kid: '2026112107' };
/** Scrypt for tests, which seal and open often. */
const CHEAP = { N: 1_024, r: 8, p: 1 };
const PROVIDERS = ['aws', 'transit', 'file'] as const;
const NETWORK_PROVIDERS = ['aws', 'transit'] as const;

let servers: Record<(typeof NETWORK_PROVIDERS)[number], TestServer>;
let folder: string;
beforeAll(async () => {
  const [aws, transit, dir] = await Promise.all([
    startKms(),
    startTransit(),
    mkdtemp(join(tmpdir(), 'vaultsvc-keys-')),
  ]);
  servers = { aws, transit };
  folder = dir;
  const passphrase = randomBytes(32);
  await writeFile(join(folder, 'passphrase'), passphrase, { mode: 0o600 });
  await writeKeysFile(
    join(folder, 'keys'),
    await sealKeysFile(newKeys(['vk-root', 'vk-system']), passphrase, CHEAP),
  );
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const provider of NETWORK_PROVIDERS) await setFault(provider, 'none');
});
afterAll(async () => {
  await Promise.all([servers.aws.stop(), servers.transit.stop(), rm(folder, { recursive: true })]);
});

function keyOf(provider: (typeof PROVIDERS)[number], name = 'vk-root'): KeySettings {
  if (provider === 'aws') return awsKeyOf(servers.aws.url, `alias/${name}`);
  if (provider === 'transit') return transitKeyOf(servers.transit.url, name);
  const passphraseFile = join(folder, 'passphrase');
  return { provider, file: join(folder, 'keys'), passphraseFile, isSystemdCredential: false, keyName: name };
}

/** Attempts are counted, so none may time out on a busy machine, except in the test of timeouts. */
function connect(provider: (typeof PROVIDERS)[number], name = 'vk-root', timeoutMs = 20_000): Kms {
  return new Kms({ key: keyOf(provider, name), timeoutMs });
}

/** Returns the number of calls since the last fault. */
async function setFault(provider: (typeof NETWORK_PROVIDERS)[number], mode: string, more: object = {}) {
  const body = JSON.stringify({ mode, ...more });
  const answer = await fetch(`${servers[provider].url}/_fault`, { method: 'POST', body });
  return ((await answer.json()) as { before: { calls: number } }).before.calls;
}

/** A client that has logged in and tried its key, so that each of its calls is one request. */
async function warm(provider: (typeof NETWORK_PROVIDERS)[number], timeoutMs?: number): Promise<Kms> {
  const kms = connect(provider, 'vk-root', timeoutMs);
  await kms.generateDataKey(context);
  return kms;
}

describe.each(PROVIDERS)('OPEN-45: the provider %s', (provider) => {
  it('generates a new data key each time, which only it can unwrap', async () => {
    const kms = connect(provider);
    const first = await kms.generateDataKey(context);
    const second = await kms.generateDataKey(context);
    expect(first.plaintext).toHaveLength(32);
    expect(first.plaintext).not.toEqual(second.plaintext);
    expect(first.wrapped.includes(first.plaintext)).toBe(false);
    expect(first.wrapped.includes(first.plaintext.toString('base64'))).toBe(false);
    expect(await kms.decrypt(first.wrapped, context)).toEqual(first.plaintext);
  });

  it('compares the encryption context as a set of pairs, and refuses any other', async () => {
    const kms = connect(provider);
    const { plaintext, wrapped } = await kms.generateDataKey(context);
    const reordered = { kid: context.kid, purpose: context.purpose, svc: context.svc };
    expect(await kms.decrypt(wrapped, reordered)).toEqual(plaintext);
    const others: EncryptionContext[] = [
      {},
      { ...context, kid: '2026112108' },
      { ...context, extra: '' },
      { svc: 'sparks' },
      { svc: 'sparks', purpose: 'spark-epochkid2026112107' },
    ];
    for (const other of others) await expect(kms.decrypt(wrapped, other)).rejects.toThrow(Tampered);
    const encrypted = await kms.encrypt(plaintext, context);
    for (const other of others) await expect(kms.decrypt(encrypted, other)).rejects.toThrow(Tampered);
  });

  it('refuses ciphertexts of another key, changed bytes, and other input', async () => {
    const kms = connect(provider);
    const { wrapped } = await kms.generateDataKey(context);
    await expect(connect(provider, 'vk-system').decrypt(wrapped, context)).rejects.toThrow(Tampered);
    for (const index of [0, 1, 2, 12, 40, wrapped.length - 20, wrapped.length - 3]) {
      const flipped = Buffer.from(wrapped);
      flipped.writeUInt8(flipped.readUInt8(index) ^ 1, index);
      await expect(kms.decrypt(flipped, context)).rejects.toThrow(Tampered);
    }
    for (const cut of [0, 1, 3, 11, 60, wrapped.length - 1])
      await expect(kms.decrypt(wrapped.subarray(0, cut), context)).rejects.toThrow(Tampered);
    await expect(kms.decrypt(randomBytes(100), context)).rejects.toThrow(Tampered);
  });

  it('refuses the ciphertexts of the other providers', async () => {
    const kms = connect(provider);
    for (const other of PROVIDERS.filter((name) => name !== provider)) {
      const { wrapped } = await connect(other).generateDataKey(context);
      await expect(kms.decrypt(wrapped, context)).rejects.toThrow(Tampered);
    }
  });

  it('encrypts 1 to 4,096 bytes', async () => {
    const kms = connect(provider);
    for (const bytes of [1, 4_096]) {
      const plaintext = randomBytes(bytes);
      expect(await kms.decrypt(await kms.encrypt(plaintext, context), context)).toEqual(plaintext);
    }
    for (const bytes of [0, 4_097])
      await expect(kms.encrypt(Buffer.alloc(bytes), context)).rejects.toThrow('1 to 4096 bytes');
    for (const bytes of [0, 1_025, 1.5])
      await expect(kms.generateRandom(bytes)).rejects.toThrow('1 to 1024 bytes');
  });

  it('makes 300 data keys at once, all different', async () => {
    const kms = connect(provider);
    const made = await Promise.all(
      Array.from({ length: 300 }, (_, index) => kms.generateDataKey({ ...context, kid: String(index) })),
    );
    expect(new Set(made.map(({ plaintext }) => plaintext.toString('hex'))).size).toBe(300);
    const opened = await Promise.all(
      made.map(({ wrapped }, index) => kms.decrypt(wrapped, { ...context, kid: String(index) })),
    );
    expect(opened).toEqual(made.map(({ plaintext }) => plaintext));
  });

  it('MISC-03: throws errors without key, plaintext, ciphertext and context', async () => {
    const kms = connect(provider);
    const { plaintext, wrapped } = await kms.generateDataKey(context);
    const other = { ...context, kid: 'another-kid' };
    const broken = connect(provider, 'no-such-key');
    const failures = [kms.decrypt(wrapped, other), broken.encrypt(plaintext, context)];
    for (const outcome of await Promise.allSettled(failures)) {
      expect(outcome.status).toBe('rejected');
      const shown = inspect(outcome, { depth: 9, showHidden: true });
      const secrets = [plaintext, wrapped].flatMap((bytes) => [
        bytes.toString('base64'),
        bytes.toString('hex'),
        inspect(bytes).slice(8, 60),
      ]);
      for (const secret of [...secrets, context.kid, other.kid]) expect(shown).not.toContain(secret);
    }
  });

  it('is unavailable, and no ciphertext is called tampered, without the key', async () => {
    const { wrapped } = await connect(provider).generateDataKey(context);
    const broken = connect(provider, 'no-such-key');
    await expect(broken.generateDataKey(context)).rejects.toThrow(KmsUnavailable);
    await expect(broken.decrypt(wrapped, context)).rejects.toThrow(KmsUnavailable);
  });
});

describe.each(NETWORK_PROVIDERS)('ENT-17: the provider %s, over the network,', (provider) => {
  it('ENT-16: returns 1 to 1,024 random bytes with the request id of its log', async () => {
    const kms = connect(provider);
    for (const bytes of [1, 1_024]) expect((await kms.generateRandom(bytes)).random).toHaveLength(bytes);
    const answers = await Promise.all([kms.generateRandom(1), kms.generateRandom(1)]);
    const ids = answers.map(({ requestId }) => requestId);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(2);
  });

  it('unwraps after a restart what it wrapped before', async () => {
    const kms = connect(provider);
    const { plaintext, wrapped } = await kms.generateDataKey(context);
    await servers[provider].restart();
    expect(await kms.decrypt(wrapped, context)).toEqual(plaintext);
  });

  it.each(['down', 'throttle'])('is unavailable after three attempts: %s', async (mode) => {
    const kms = await warm(provider);
    await setFault(provider, mode);
    await expect(kms.generateRandom(32)).rejects.toThrow(KmsUnavailable);
    expect(await setFault(provider, 'none')).toBe(3);
  });

  it('aborts an attempt that exceeds its timeout', async () => {
    const kms = await warm(provider, 500);
    await setFault(provider, 'slow', { ms: 600_000 });
    // Counted in the client, because a paused emulator does not see attempts that time out.
    const attempts = jest.spyOn(AbortSignal, 'timeout');
    await expect(kms.generateRandom(32)).rejects.toMatchObject({ reason: 'TimeoutError' });
    expect(attempts.mock.calls).toEqual([[500], [500], [500]]);
  });

  it('succeeds when the outage is shorter than its attempts', async () => {
    const kms = await warm(provider);
    await setFault(provider, 'down', { times: 2 });
    expect((await kms.generateRandom(32)).random).toHaveLength(32);
    expect(await setFault(provider, 'none')).toBe(3);
  });

  it('stops calls after five failures, and resumes them when it recovers', async () => {
    const kms = await warm(provider);
    const stoppedMs = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(stoppedMs);
    await setFault(provider, 'down');
    await Promise.allSettled([kms.generateRandom(32), kms.generateRandom(32)]);
    await expect(kms.generateRandom(32)).rejects.toMatchObject({ reason: 'CircuitOpen' });
    expect(await setFault(provider, 'none')).toBe(6);
    clock.mockReturnValue(stoppedMs + 1_000);
    expect((await kms.generateRandom(32)).random).toHaveLength(32);
  });
});

describe.each([
  ['aws', 'transit'],
  ['transit', 'file'],
  ['file', 'aws'],
] as const)('OPEN-45: a move from %s to %s', (from, to) => {
  const moving = () => new Kms({ key: keyOf(to), second: keyOf(from), timeoutMs: 20_000 });

  it('reads both keys, wraps with the new one, and leaves nothing that needs the former one', async () => {
    const { plaintext, wrapped } = await connect(from).generateDataKey(context);
    const kms = moving();
    expect(await kms.decrypt(wrapped, context)).toEqual(plaintext);
    expect(await kms.isCurrent(wrapped, context)).toBe(false);
    const rewrapped = (await kms.rewrap(wrapped, context)) as Buffer;
    expect(await connect(to).decrypt(rewrapped, context)).toEqual(plaintext);
    expect(await kms.isCurrent(rewrapped, context)).toBe(true);
    expect(await kms.rewrap(rewrapped, context)).toBeUndefined();
    expect(await kms.decrypt((await kms.generateDataKey(context)).wrapped, context)).toHaveLength(32);
  });

  it('refuses another context', async () => {
    const { wrapped } = await connect(from).generateDataKey(context);
    await expect(moving().rewrap(wrapped, { ...context, kid: 'other' })).rejects.toThrow(Tampered);
    await expect(moving().isCurrent(wrapped, { ...context, kid: 'other' })).rejects.toThrow(Tampered);
  });
});

describe.each(PROVIDERS)('OPEN-45: a move to another key of the provider %s', (provider) => {
  it('tells the keys apart', async () => {
    const kms = new Kms({
      key: keyOf(provider, 'vk-system'),
      second: keyOf(provider, 'vk-root'),
      timeoutMs: 20_000,
    });
    const { plaintext, wrapped } = await connect(provider, 'vk-root').generateDataKey(context);
    const rewrapped = (await kms.rewrap(wrapped, context)) as Buffer;
    expect(await connect(provider, 'vk-system').decrypt(rewrapped, context)).toEqual(plaintext);
    expect(await kms.rewrap(rewrapped, context)).toBeUndefined();
  });
});
