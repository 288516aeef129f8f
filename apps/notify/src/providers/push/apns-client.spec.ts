import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Secret } from '@vaultsvc/config';
import { jwtVerify } from 'jose';
import { NotifyConfig } from '../../config.js';
import { apnsReply, startHttp2Server, type RespondHttp2 } from '../../testing/http2-server.js';
import { failureOf, notificationTo } from '../../testing/sample-notification.js';
import { ApnsClient } from './apns-client.js';

const keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const APNS_KEY = new Secret(keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
const device = 'aabbccdd00112233';
const notification = notificationTo('');

const opened: { stop(): Promise<void> | void }[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  for (const each of opened.splice(0).reverse()) await each.stop();
});

async function apple(respond: RespondHttp2 = apnsReply(200, undefined, { 'apns-id': 'given' })) {
  const server = await startHttp2Server(respond);
  const settings = { APNS_KEY_ID: 'KEY0000001', APNS_TEAM_ID: 'TEAM000001', APNS_TOPIC: 'com.example.app' };
  const client = new ApnsClient(
    Object.assign(new NotifyConfig(), { APNS_KEY, APNS_URL: server.origin, ...settings }),
  );
  opened.push(server, { stop: () => client.close() });
  return { server, client };
}

describe('NTF-13 NTF-43: a push notification by APNs', () => {
  it('has the id of the delivery, ends with the link, and is shown once however often it is sent', async () => {
    const { server, client } = await apple();
    expect(await client.send(device, notification)).toBe('given');
    const [{ headers, body }] = server.received as [(typeof server.received)[0]];
    expect(headers).toMatchObject({
      ':path': `/3/device/${device}`,
      'apns-id': notification.deliveryId,
      'apns-collapse-id': notification.deliveryId,
      'apns-topic': 'com.example.app',
      'apns-push-type': 'alert',
      'apns-priority': '10',
      'apns-expiration': String(notification.expiresAt),
    });
    expect(JSON.parse(body)).toMatchObject({
      aps: { alert: { title: 'Contract', body: 'Engines sent you a sealed message.' } },
      link_url: notification.linkUrl,
      send_id: 'ntsnd_1',
    });
  });

  it('is authenticated by a token of the key, which is replaced after 50 minutes', async () => {
    const { server, client } = await apple();
    const clock = jest.spyOn(Date, 'now');
    const start = Date.now();
    for (const minutes of [0, 49, 51]) {
      clock.mockReturnValue(start + minutes * 60_000);
      await client.send(device, notification);
    }
    const [first, second, third] = server.received.map(({ headers }) => String(headers.authorization));
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    const token = String(first).replace(/^bearer /, '');
    const { protectedHeader } = await jwtVerify(token, keys.publicKey, { issuer: 'TEAM000001' });
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'KEY0000001' });
  });

  it.each([
    [410, 'Unregistered', { isFinal: true, isAddressGone: true }],
    [410, 'ExpiredToken', { isFinal: true, isAddressGone: true }],
    [400, 'BadDeviceToken', { isFinal: true, isAddressGone: false }],
    [403, 'InvalidProviderToken', { isFinal: false, isAddressGone: false }],
    [429, 'TooManyRequests', { isFinal: false, isAddressGone: false, retryAfterMs: 9_000 }],
    [503, 'Shutdown', { isFinal: false, isAddressGone: false }],
  ])('fails with %i %s', async (status, reason, facts) => {
    const { client } = await apple(apnsReply(status, reason, status === 429 ? { 'retry-after': '9' } : {}));
    expect(await failureOf(client.send(device, notification))).toMatchObject({
      code: `HTTP ${status} ${reason}`,
      isAnswerLost: false,
      ...facts,
    });
  });

  it('gets another token after APNs has called one expired, and keeps no unknown reason', async () => {
    const { server, client } = await apple(apnsReply(403, 'ExpiredProviderToken'));
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    await failureOf(client.send(device, notification));
    clock.mockReturnValue(Date.now() + 2_000);
    server.respondWith(apnsReply(400, `about ${device}`));
    expect(await failureOf(client.send(device, notification))).toMatchObject({ code: 'HTTP 400' });
    const tokens = server.received.map(({ headers }) => headers.authorization);
    expect(new Set(tokens).size).toBe(2);
  });

  it.each(['', 'xyz', `${device}/../x`, 'aabbccdd\n'])('is not sent to %j', async (token) => {
    const { server, client } = await apple();
    expect(await failureOf(client.send(token, notification))).toMatchObject({ code: 'ADDRESS_INVALID' });
    expect(server.received).toEqual([]);
  });
});

describe('NTF-43: the connection to APNs', () => {
  it('is shared by concurrent notifications and kept', async () => {
    const { server, client } = await apple();
    await Promise.all([1, 2, 3].map(() => client.send(device, notification)));
    await client.send(device, notification);
    expect(server.sessions).toHaveLength(1);
  });

  it('is opened again after GOAWAY, while the accepted notifications are answered', async () => {
    const { server, client } = await apple((stream, request) => {
      stream.session?.goaway();
      apnsReply(200)(stream, request);
    });
    const ids = [await client.send(device, notification), await client.send(device, notification)];
    expect(ids).toEqual([notification.deliveryId, notification.deliveryId]);
    expect(server.sessions).toHaveLength(2);
  });

  it('is opened again after it broke; the notification may have been received', async () => {
    const { server, client } = await apple((stream) => stream.session?.destroy());
    expect(await failureOf(client.send(device, notification))).toMatchObject({
      isAnswerLost: true,
      isFinal: false,
    });
    server.respondWith(apnsReply(200));
    await client.send(device, notification);
    expect(server.sessions).toHaveLength(2);
  });

  it('reports a refused stream, and a server that does not listen, as not received', async () => {
    const { server, client } = await apple((stream) => stream.close(7)); // REFUSED_STREAM
    expect(await failureOf(client.send(device, notification))).toMatchObject({ isAnswerLost: false });
    await server.stop();
    client.close();
    expect(await failureOf(client.send(device, notification))).toMatchObject({
      code: 'ECONNREFUSED',
      isAnswerLost: false,
    });
  });
});
