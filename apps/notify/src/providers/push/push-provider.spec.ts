import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@vaultsvc/config';
import { jwtVerify } from 'jose';
import { NotifyConfig } from '../../config.js';
import { cut, ProviderServer, reply, type Respond } from '../../testing/provider-server.js';
import { failureOf, notificationTo } from '../../testing/sample-notification.js';
import { PushProvider } from './push-provider.js';

const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' });

const opened: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.stop();
});

/** Issues tokens `token-1`, `token-2`, … and answers messages as the test wants. */
async function google(respond: Respond = reply(200, '{"name": "projects/p-1/messages/7"}'), seconds = 3_600) {
  let tokens = 0;
  const issue: Respond = (response) => {
    tokens += 1;
    response.end(
      JSON.stringify({ access_token: `token-${tokens}`, expires_in: seconds, token_type: 'Bearer' }),
    );
  };
  const server = await ProviderServer.start((response, request) =>
    (request.path === '/token' ? issue : respond)(response, request),
  );
  opened.push(server);
  const at = (path: string) => server.received.filter((request) => request.path === path);
  return {
    server,
    exchanges: () => at('/token').map(({ body }) => new URLSearchParams(body.toString())),
    messages: () => at('/v1/projects/p-1/messages:send'),
    push: provider(server.origin),
  };
}

function provider(origin: string): PushProvider {
  const account = {
    project_id: 'p-1',
    client_email: 'notify@p-1.test',
    private_key: privateKey,
    private_key_id: 'k1',
    token_uri: `${origin}/token`,
  };
  const FCM_CREDENTIALS = new Secret(JSON.stringify(account));
  return new PushProvider(Object.assign(new NotifyConfig(), { FCM_URL: origin, FCM_CREDENTIALS }));
}

const device = JSON.stringify({ platform: 'android', token: 'device-token' });
const fcmError = (status: number, errorCode: string, headers: Record<string, string> = {}) =>
  reply(
    status,
    JSON.stringify({ error: { message: 'device-token', details: [{ errorCode }] } }, null, 2),
    headers,
  );

describe('NTF-13 NTF-43: a push notification by FCM', () => {
  it('is sent to the project of the service account, and shown once however often it is sent', async () => {
    const { push, messages } = await google();
    const notification = notificationTo(device);
    expect(await push.send(notification)).toBe('projects/p-1/messages/7');
    const [{ headers, body }] = messages() as [ReturnType<typeof messages>[0]];
    expect(headers.authorization).toBe('Bearer token-1');
    const { message } = JSON.parse(body.toString()) as { message: { android: { ttl: string } } };
    expect(message).toMatchObject({
      token: 'device-token',
      notification: { title: 'Contract', body: 'Engines sent you a sealed message.' },
      data: { link_url: notification.linkUrl, send_id: 'ntsnd_1', category: 'approval', type: 'contract' },
      android: { priority: 'HIGH', notification: { tag: notification.deliveryId } },
    });
    expect(Number.parseInt(message.android.ttl)).toBeGreaterThan(3_000);
  });

  it('uses a token that an assertion of the service account has obtained, until a minute before its end', async () => {
    const { push, exchanges, messages, server } = await google();
    await Promise.all([push.send(notificationTo(device)), push.send(notificationTo(device))]);
    const [exchange, ...others] = exchanges();
    expect(others).toEqual([]);
    expect(exchange?.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const { payload, protectedHeader } = await jwtVerify(exchange?.get('assertion') ?? '', keys.publicKey, {
      issuer: 'notify@p-1.test',
      audience: `${server.origin}/token`,
    });
    expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: 'k1' });
    expect(payload).toMatchObject({ scope: 'https://www.googleapis.com/auth/firebase.messaging' });
    expect(messages()).toHaveLength(2);
    const short = await google(undefined, 60);
    await short.push.send(notificationTo(device));
    await short.push.send(notificationTo(device));
    expect(short.exchanges()).toHaveLength(2);
  });

  it('gets another token after FCM has refused one', async () => {
    const { push, server, messages } = await google();
    const { respond } = server;
    server.respond = (response, request) =>
      request.headers.authorization === 'Bearer token-1'
        ? fcmError(401, 'THIRD_PARTY_AUTH_ERROR')(response, request)
        : respond(response, request);
    expect(await failureOf(push.send(notificationTo(device)))).toMatchObject({
      code: 'HTTP 401 THIRD_PARTY_AUTH_ERROR',
      isFinal: false,
    });
    await push.send(notificationTo(device));
    expect(messages().map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-2',
    ]);
  });

  it.each([
    [404, 'UNREGISTERED', { isFinal: true, isAddressGone: true }],
    [403, 'SENDER_ID_MISMATCH', { isFinal: true, isAddressGone: false }],
    [400, 'INVALID_ARGUMENT', { isFinal: true, isAddressGone: false }],
    [429, 'QUOTA_EXCEEDED', { isFinal: false, isAddressGone: false, retryAfterMs: 60_000 }],
    [503, 'UNAVAILABLE', { isFinal: false, isAddressGone: false, retryAfterMs: 60_000 }],
  ])('fails with %i %s', async (status, code, facts) => {
    const { push } = await google(fcmError(status, code, status >= 429 ? { 'retry-after': '60' } : {}));
    const failure = await failureOf(push.send(notificationTo(device)));
    expect(failure).toMatchObject({ code: `HTTP ${status} ${code}`, isAnswerLost: false, ...facts });
    expect(JSON.stringify([failure, failure.message])).not.toContain('device-token');
  });

  it('keeps a device that another 404 speaks of, and may be sent if the reply is lost', async () => {
    const absent = await google(reply(404, 'Not Found'));
    expect(await failureOf(absent.push.send(notificationTo(device)))).toMatchObject({
      code: 'HTTP 404',
      isFinal: false,
      isAddressGone: false,
    });
    const broken = await google(cut);
    expect(await failureOf(broken.push.send(notificationTo(device)))).toMatchObject({ isAnswerLost: true });
  });

  it('was not sent if Google issues no token', async () => {
    for (const respond of [
      cut,
      reply(400, '{"error": "invalid_grant"}'),
      reply(200, '{}'),
      reply(200, 'x'),
    ]) {
      const server = await ProviderServer.start(respond);
      opened.push(server);
      const failure = await failureOf(provider(server.origin).send(notificationTo(device)));
      expect(failure).toMatchObject({
        code: expect.stringContaining('OAUTH'),
        isAnswerLost: false,
        isFinal: false,
      });
    }
  });
});

describe('NTF-43: the channel push', () => {
  it('is unconfigured without FCM and APNs, and to a device of a platform without settings', async () => {
    const none = new PushProvider(new NotifyConfig());
    expect(none.missingSettings()).toEqual(['FCM_CREDENTIALS', 'APNS_KEY']);
    expect(await failureOf(none.send(notificationTo(device)))).toMatchObject({ code: 'UNCONFIGURED' });
    const { push } = await google();
    expect(push.missingSettings()).toEqual([]);
    const iPhone = JSON.stringify({ platform: 'ios', token: 'aabbccdd' });
    expect(await failureOf(push.send(notificationTo(iPhone)))).toMatchObject({
      code: 'UNCONFIGURED',
      isFinal: false,
    });
  });

  it.each(['', 'token', 'null', '{}', '{"platform":"android"}', '{"platform":"fax","token":"x"}'])(
    'sends nothing to an address that is no device: %j',
    async (address) => {
      const { push, server } = await google();
      expect(await failureOf(push.send(notificationTo(address)))).toMatchObject({
        code: 'ADDRESS_INVALID',
        isFinal: true,
      });
      expect(server.received).toEqual([]);
    },
  );
});
