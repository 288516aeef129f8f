import {
  DecryptCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  GenerateRandomCommand,
  KMSClient,
} from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kmsCredentialsOf, startKms, type TestServer } from '@vaultsvc/testing/servers';

let kms: TestServer;
beforeAll(async () => {
  kms = await startKms();
});
afterAll(() => kms.stop());

/** A client of the SDK, as the services use it. */
const clientOf = (credentials: { accessKeyId: string; secretAccessKey: string }) =>
  new KMSClient({ endpoint: kms.url, region: 'us-east-1', credentials, maxAttempts: 1 });
const errorOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'none',
    ({ name }: Error) => name,
  );
const random = new GenerateRandomCommand({ NumberOfBytes: 1 });

/** The request as the SDK signs it, which is also sent. */
async function signedRequest(): Promise<{ headers: Record<string, string>; body: string }> {
  const client = clientOf(kmsCredentialsOf());
  let sent: unknown;
  client.middlewareStack.add(
    (next) => (args) => {
      sent = args.request;
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  await client.send(random);
  return sent as Awaited<ReturnType<typeof signedRequest>>;
}

describe('OPEN-45 OPEN-51: a caller of the KMS emulator', () => {
  it('is refused without a signature, with an unknown access key and with a wrong secret', async () => {
    const { secretAccessKey } = kmsCredentialsOf('sparks');
    expect(await errorOf(clientOf({ accessKeyId: 'local', secretAccessKey: 'local' }).send(random))).toBe(
      'UnrecognizedClientException',
    );
    expect(await errorOf(clientOf({ accessKeyId: 'sparks', secretAccessKey: 'wrong' }).send(random))).toBe(
      'InvalidSignatureException',
    );
    expect(await errorOf(clientOf({ accessKeyId: 'sparks', secretAccessKey }).send(random))).toBe('none');
    const headers = { 'x-amz-target': 'TrentService.GenerateRandom' };
    const unsigned = await fetch(kms.url, { method: 'POST', headers, body: '{"NumberOfBytes":1}' });
    expect([unsigned.status, await unsigned.json()]).toMatchObject([
      400,
      { __type: 'MissingAuthenticationTokenException' },
    ]);
  });

  it('is refused with a signature of another body, operation or time', async () => {
    const { headers, body } = await signedRequest();
    const statusOf = async (changes: object, text = body) => {
      const request = { method: 'POST', headers: { ...headers, ...changes }, body: text };
      return (await fetch(kms.url, request)).status;
    };
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({}, '{"NumberOfBytes":2}')).toBe(400);
    expect(await statusOf({ 'x-amz-target': 'TrentService.DescribeKey' })).toBe(400);
    expect(await statusOf({ 'x-amz-date': '20200101T000000Z' })).toBe(400);
  });

  it('cannot inject faults from a page in a browser', async () => {
    const fault = (headers: Record<string, string>) =>
      fetch(`${kms.url}/_fault`, { method: 'POST', headers, body: '{"mode":"none"}' });
    expect((await fault({ origin: 'https://evil.example' })).status).toBe(400);
    expect((await fault({})).status).toBe(200);
  });

  it.each([
    ['auth', 'alias/vk-root', 'alias/vk-system'],
    ['sparks', 'alias/vk-root', 'alias/vk-system'],
    ['vaults', 'alias/vk-system', 'alias/vk-root'],
  ])('%s uses %s, and not %s', async (service, own, foreign) => {
    const client = clientOf(kmsCredentialsOf(service));
    const dataKey = (KeyId: string) => new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256' });
    const { CiphertextBlob } = await client.send(dataKey(own));
    expect(await errorOf(client.send(new DecryptCommand({ CiphertextBlob })))).toBe('none');
    expect(await errorOf(client.send(dataKey(foreign)))).toBe('AccessDeniedException');
    const Plaintext = Buffer.from('x');
    expect(await errorOf(client.send(new EncryptCommand({ KeyId: foreign, Plaintext })))).toBe(
      'AccessDeniedException',
    );
    const anybody = clientOf(kmsCredentialsOf());
    const { CiphertextBlob: blobOfOthers } = await anybody.send(dataKey(foreign));
    expect(await errorOf(client.send(new DecryptCommand({ CiphertextBlob: blobOfOthers })))).toBe(
      'AccessDeniedException',
    );
  });

  it.each([
    ['auth', 'AccessDeniedException'],
    ['sparks', 'none'],
    ['vaults', 'AccessDeniedException'],
  ])('%s, asking for random bytes, gets the error: %s', async (service, outcome) => {
    expect(await errorOf(clientOf(kmsCredentialsOf(service)).send(random))).toBe(outcome);
  });
});
