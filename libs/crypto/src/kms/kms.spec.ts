import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { kmsCredentialsOf, startKms, type TestServer } from '@vaultsvc/testing/servers';
import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { signedHeaders } from '../../../../tools/kms/signature.ts';
import { type EncryptionContext, Kms, KmsUnavailable, Tampered } from './index.js';

const context = { svc: 'sparks', purpose: 'spark-epoch', kid: '2026112107' };
let server: TestServer;
let kms: Kms;
let systemKms: Kms;

/** Attempts are counted, so none may time out on a busy machine, except in the test of timeouts. */
function connect(kmsKeyId: string, kmsTimeoutMs = 20_000): Kms {
  const kmsCredentials = kmsCredentialsOf();
  return new Kms({ kmsEndpoint: server.url, kmsRegion: 'us-east-1', kmsKeyId, kmsCredentials, kmsTimeoutMs });
}

async function setFault(mode: string, more: object = {}): Promise<{ calls: number }> {
  const body = JSON.stringify({ mode, ...more });
  const answer = await fetch(`${server.url}/_fault`, { method: 'POST', body });
  return ((await answer.json()) as { before: { calls: number } }).before;
}

beforeAll(async () => {
  server = await startKms();
  kms = connect('alias/vk-root');
  systemKms = connect('alias/vk-system');
});

afterEach(async () => {
  jest.restoreAllMocks();
  await setFault('none');
});

afterAll(async () => {
  kms.close();
  systemKms.close();
  await server.stop();
});

describe('OPEN-45: Kms', () => {
  it('generates a new data key each time, which only it can unwrap', async () => {
    const first = await kms.generateDataKey(context);
    const second = await kms.generateDataKey(context);
    expect(first.plaintext).toHaveLength(32);
    expect(first.plaintext).not.toEqual(second.plaintext);
    expect(first.wrapped.includes(first.plaintext)).toBe(false);
    expect(await kms.decrypt(first.wrapped, context)).toEqual(first.plaintext);
  });

  it('compares the encryption context as a set of pairs, and refuses any other', async () => {
    const { plaintext, wrapped } = await kms.generateDataKey(context);
    const reordered = { kid: context.kid, purpose: context.purpose, svc: context.svc };
    expect(await kms.decrypt(wrapped, reordered)).toEqual(plaintext);
    const others: EncryptionContext[] = [
      {},
      { ...context, kid: '2026112108' },
      { ...context, extra: '' },
      { svc: 'sparks' },
    ];
    for (const other of others) {
      await expect(kms.decrypt(wrapped, other)).rejects.toThrow(Tampered);
    }
  });

  it('refuses ciphertexts of another key, changed bytes, and other input', async () => {
    const { wrapped } = await kms.generateDataKey(context);
    await expect(systemKms.decrypt(wrapped, context)).rejects.toThrow(Tampered);
    for (const index of [0, 1, 40, wrapped.length - 20, wrapped.length - 1]) {
      const flipped = Buffer.from(wrapped);
      flipped.writeUInt8(flipped.readUInt8(index) ^ 1, index);
      await expect(kms.decrypt(flipped, context)).rejects.toThrow(Tampered);
    }
    await expect(kms.decrypt(randomBytes(100), context)).rejects.toThrow(Tampered);
  });

  it('encrypts 1 to 4,096 bytes and generates 1 to 1,024 random bytes', async () => {
    for (const bytes of [1, 4_096]) {
      const plaintext = randomBytes(bytes);
      expect(await kms.decrypt(await kms.encrypt(plaintext, context), context)).toEqual(plaintext);
    }
    for (const bytes of [1, 1_024]) expect((await kms.generateRandom(bytes)).random).toHaveLength(bytes);
    await expect(kms.encrypt(Buffer.alloc(4_097), context)).rejects.toThrow('1 to 4096 bytes');
    await expect(kms.encrypt(Buffer.alloc(0), context)).rejects.toThrow('1 to 4096 bytes');
    for (const bytes of [0, 1_025, 1.5])
      await expect(kms.generateRandom(bytes)).rejects.toThrow('1 to 1024 bytes');
  });

  it('ENT-16: returns with random bytes the request id of the log of key management', async () => {
    const answers = await Promise.all([kms.generateRandom(1), kms.generateRandom(1)]);
    const ids = answers.map(({ requestId }) => requestId);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(2);
  });

  it('unwraps after a restart what it wrapped before', async () => {
    const { plaintext, wrapped } = await kms.generateDataKey(context);
    await server.restart();
    expect(await kms.decrypt(wrapped, context)).toEqual(plaintext);
  });

  it('reports a missing key at once and without its name', async () => {
    const lost = connect('alias/none');
    await setFault('none');
    await expect(lost.generateDataKey(context)).rejects.toMatchObject({
      name: 'KmsUnavailable',
      reason: 'NotFoundException',
    });
    expect((await setFault('none')).calls).toBe(1);
  });
});

describe('ENT-17: Kms without a working KMS', () => {
  it('throws KmsUnavailable after three attempts when KMS breaks connections', async () => {
    await setFault('down');
    await expect(connect('alias/vk-root').generateRandom(32)).rejects.toThrow(KmsUnavailable);
    expect((await setFault('none')).calls).toBe(3);
  });

  it('makes three attempts when KMS throttles', async () => {
    await setFault('throttle');
    const outcome = connect('alias/vk-root').generateRandom(32);
    await expect(outcome).rejects.toMatchObject({ name: 'KmsUnavailable', reason: 'ThrottlingException' });
    expect((await setFault('none')).calls).toBe(3);
  });

  it('aborts an attempt that exceeds its timeout', async () => {
    await setFault('slow', { ms: 600_000 });
    // Counted in the client, because a paused emulator does not see attempts that time out.
    const attempts = jest.spyOn(AbortSignal, 'timeout');
    const outcome = connect('alias/vk-root', 500).generateRandom(32);
    await expect(outcome).rejects.toMatchObject({ reason: 'AbortError' });
    expect(attempts.mock.calls).toEqual([[500], [500], [500]]);
  });

  it('succeeds when the outage is shorter than its attempts', async () => {
    await setFault('down', { times: 2 });
    expect((await connect('alias/vk-root').generateRandom(32)).random).toHaveLength(32);
    expect((await setFault('none')).calls).toBe(3);
  });

  it('stops calling KMS after five failures, and resumes when it recovers', async () => {
    const client = connect('alias/vk-root');
    const stoppedMs = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(stoppedMs);
    await setFault('down');
    await Promise.allSettled([client.generateRandom(32), client.generateRandom(32)]);
    await expect(client.generateRandom(32)).rejects.toMatchObject({ reason: 'CircuitOpen' });
    expect((await setFault('none')).calls).toBe(6);
    clock.mockReturnValue(stoppedMs + 1_000);
    expect((await client.generateRandom(32)).random).toHaveLength(32);
  });

  it('MISC-03: throws errors without key, plaintext, ciphertext and context', async () => {
    const { plaintext, wrapped } = await kms.generateDataKey(context);
    await setFault('down');
    const failures = [
      connect('alias/vk-root').encrypt(plaintext, context),
      connect('alias/vk-root').decrypt(wrapped, context),
    ];
    for (const outcome of await Promise.allSettled(failures)) {
      const shown = inspect(outcome, { depth: 9, showHidden: true });
      const secrets = [plaintext, wrapped].flatMap((bytes) => [
        bytes.toString('base64'),
        bytes.toString('hex'),
        inspect(bytes).slice(8, 60),
      ]);
      for (const secret of [...secrets, context.kid]) expect(shown).not.toContain(secret);
    }
  });
});

describe('The KMS emulator of the local stack', () => {
  /** Signs and sends a body that the SDK would not make. */
  const call = async (target: string, body: string) => {
    const headers = signedHeaders(server.url, target, body, kmsCredentialsOf());
    const answer = await fetch(server.url, { method: 'POST', body, headers });
    return { status: answer.status, ...((await answer.json()) as Record<string, unknown>) };
  };

  it('ENT-16: returns zeros when configured to', async () => {
    await setFault('zeros');
    expect((await kms.generateRandom(64)).random).toEqual(Buffer.alloc(64));
  });

  it('finds its two keys by alias, id and ARN, and no other', async () => {
    const { KeyMetadata } = (await call('TrentService.DescribeKey', '{"KeyId":"alias/vk-root"}')) as {
      KeyMetadata?: Record<string, string>;
    };
    for (const name of [KeyMetadata?.KeyId, KeyMetadata?.Arn]) {
      const { plaintext, wrapped } = await connect(String(name)).generateDataKey(context);
      expect(await kms.decrypt(wrapped, context)).toEqual(plaintext);
    }
    expect(await call('TrentService.DescribeKey', '{"KeyId":"alias/none"}')).toMatchObject({
      status: 400,
      __type: 'NotFoundException',
    });
  });

  it('returns errors in the form of AWS', async () => {
    const mistakes: [string, string, string][] = [
      ['TrentService.GenerateRandom', '{"NumberOfBytes":0}', 'ValidationException'],
      ['TrentService.GenerateRandom', '{"NumberOfBytes":1025}', 'ValidationException'],
      ['TrentService.GenerateRandom', '{"NumberOfBytes":"8"}', 'ValidationException'],
      ['TrentService.GenerateRandom', '[]', 'SerializationException'],
      ['TrentService.GenerateRandom', '{', 'SerializationException'],
      ['TrentService.GenerateDataKey', '{"KeyId":"alias/vk-root"}', 'ValidationException'],
      [
        'TrentService.GenerateDataKey',
        '{"KeyId":"alias/vk-root","KeySpec":"AES_256","EncryptionContext":{"a":1}}',
        'ValidationException',
      ],
      ['TrentService.Encrypt', '{"KeyId":"alias/vk-root","Plaintext":""}', 'ValidationException'],
      ['TrentService.Encrypt', '{"KeyId":"alias/vk-root","Plaintext":"?"}', 'SerializationException'],
      ['TrentService.Decrypt', '{"CiphertextBlob":"AAAA"}', 'InvalidCiphertextException'],
      ['TrentService.Sign', '{}', 'UnknownOperationException'],
      ['TrentService.constructor', '{}', 'UnknownOperationException'],
    ];
    for (const [target, body, type] of mistakes)
      expect(await call(target, body)).toMatchObject({ status: 400, __type: type });
    expect(await call('TrentService.GenerateRandom', ' '.repeat(70_000))).toMatchObject({
      __type: 'SerializationException',
    });
  });
});
