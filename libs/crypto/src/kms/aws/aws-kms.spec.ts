import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { awsKeyOf, kmsCredentialsOf, startKms, type TestServer } from '@vaultsvc/testing/servers';
import { signedHeaders } from '../../../../../tools/kms/signature.ts';
import { Kms } from '../index.js';

const context = { svc: 'sparks', purpose: 'spark-epoch', kid: '2026112107' };
let server: TestServer;
let kms: Kms;

const connect = (keyId: string) => new Kms({ key: awsKeyOf(server.url, keyId), timeoutMs: 20_000 });

async function setFault(mode: string): Promise<{ calls: number }> {
  const answer = await fetch(`${server.url}/_fault`, { method: 'POST', body: JSON.stringify({ mode }) });
  return ((await answer.json()) as { before: { calls: number } }).before;
}

beforeAll(async () => {
  server = await startKms();
  kms = connect('alias/vk-root');
});
afterEach(() => setFault('none'));
afterAll(async () => {
  kms.close();
  await server.stop();
});

describe('OPEN-45: AWS KMS', () => {
  it('reports a missing key at once and without its name', async () => {
    await setFault('none');
    await expect(connect('alias/none').generateDataKey(context)).rejects.toMatchObject({
      name: 'KmsUnavailable',
      reason: 'NotFoundException',
    });
    expect((await setFault('none')).calls).toBe(1);
  });

  it('is asked three times when it throttles', async () => {
    await setFault('throttle');
    const outcome = connect('alias/vk-root').generateRandom(32);
    await expect(outcome).rejects.toMatchObject({ name: 'KmsUnavailable', reason: 'ThrottlingException' });
    expect((await setFault('none')).calls).toBe(3);
  });

  it('stores ciphertexts as AWS returns them, which earlier releases read', async () => {
    const { plaintext, wrapped } = await kms.generateDataKey(context);
    const body = JSON.stringify({ CiphertextBlob: wrapped.toString('base64'), EncryptionContext: context });
    const answer = await call('TrentService.Decrypt', body);
    expect(answer).toMatchObject({ status: 200, Plaintext: plaintext.toString('base64') });
  });
});

/** Signs and sends a body that the SDK would not make. */
const call = async (target: string, body: string) => {
  const headers = signedHeaders(server.url, target, body, kmsCredentialsOf());
  const answer = await fetch(server.url, { method: 'POST', body, headers });
  return { status: answer.status, ...((await answer.json()) as Record<string, unknown>) };
};

describe('The KMS emulator of the local stack', () => {
  it('ENT-16: returns zeros when configured to', async () => {
    await setFault('zeros');
    expect((await kms.generateRandom(64)).random).toEqual(Buffer.alloc(64));
  });

  it('finds its two keys by alias, id and ARN, and no other', async () => {
    const { KeyMetadata } = (await call('TrentService.DescribeKey', '{"KeyId":"alias/vk-root"}')) as {
      KeyMetadata?: Record<string, string>;
    };
    for (const name of [KeyMetadata?.['KeyId'], KeyMetadata?.['Arn']]) {
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
