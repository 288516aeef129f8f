import { createVerify, createPublicKey } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@vaultsvc/config';
import webPush from 'web-push';
import { MessageStore } from '../../../../../tools/mail/message-store.ts';
import { PushService } from '../../../../../tools/mail/push-service.ts';
import { NotifyConfig } from '../../config.js';
import { cut, ProviderServer, reply, type Respond } from '../../testing/provider-server.js';
import { failureOf, notificationTo } from '../../testing/sample-notification.js';
import { WebPushProvider } from './web-push-provider.js';

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

const vapid = webPush.generateVAPIDKeys();
const settings = {
  VAPID_PUBLIC_KEY: vapid.publicKey,
  VAPID_PRIVATE_KEY: new Secret(vapid.privateKey),
  VAPID_SUBJECT: 'mailto:admin@example.com',
};
const provider = (PROFILE: NotifyConfig['PROFILE'] = 'local') =>
  new WebPushProvider(Object.assign(new NotifyConfig(), { PROFILE, ...settings }));

/** The browser and push service of the local inbox, or a push service that answers otherwise. */
async function browser(respond?: Respond) {
  const store = new MessageStore();
  const service = new PushService();
  const server = await ProviderServer.start((response, request) => {
    if (respond) return respond(response, request);
    const { path, headers, body: raw } = request;
    const given = service.answer(store, { method: 'POST', path, headers, raw });
    response.writeHead(given?.status ?? 404).end();
  });
  servers.push(server);
  const { host } = new URL(server.origin);
  const given = service.answer(store, {
    method: 'GET',
    path: '/push/subscription',
    headers: { host },
    raw: Buffer.alloc(0),
  });
  return {
    server,
    subscription: given?.value as webPush.PushSubscription,
    shown: () => store.notifications.list(),
  };
}

const addressOf = (subscription: object) => JSON.stringify(subscription);

describe('NTF-13 NTF-43: a notification by web push', () => {
  it('is decrypted by the browser that subscribed, and by nobody on the way', async () => {
    const { server, subscription, shown } = await browser();
    const notification = notificationTo(addressOf(subscription));
    expect(await provider().send(notification)).toBeNull();
    expect(shown()).toEqual([
      expect.objectContaining({
        channel: 'web_push',
        title: 'Contract',
        content: {
          title: 'Contract',
          body: 'Engines sent you a sealed message.',
          data: expect.objectContaining({ link_url: notification.linkUrl, send_id: 'ntsnd_1' }),
        },
      }),
    ]);
    expect(server.received[0]?.body.includes('Contract')).toBe(false);
  });

  it('is signed with our VAPID key for this push service, and replaces an earlier attempt', async () => {
    const { server, subscription } = await browser();
    const notification = notificationTo(addressOf(subscription));
    await provider().send(notification);
    const headers = server.received[0]?.headers ?? {};
    expect(headers).toMatchObject({ urgency: 'high', topic: notification.deliveryId.replaceAll('-', '') });
    expect(Number(headers['ttl'])).toBeGreaterThan(3_000);
    const [, token = '', key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
    expect(key).toBe(vapid.publicKey);
    const [head, claims = '', signature = ''] = token.split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      aud: server.origin,
      sub: 'mailto:admin@example.com',
    });
    const verified = createVerify('sha256')
      .update(`${head}.${claims}`)
      .verify({ key: publicKey(), dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
    expect(verified).toBe(true);
  });

  it.each([
    [404, { isFinal: true, isAddressGone: true }],
    [410, { isFinal: true, isAddressGone: true }],
    [413, { isFinal: true, isAddressGone: false }],
    [403, { isFinal: false, isAddressGone: false }],
    [429, { isFinal: false, isAddressGone: false, retryAfterMs: 11_000 }],
    [500, { isFinal: false, isAddressGone: false }],
  ])('fails with %i', async (status, facts) => {
    const headers = status === 429 ? { 'retry-after': '11' } : undefined;
    const { subscription } = await browser(reply(status, subscriptionText, headers));
    const failure = await failureOf(provider().send(notificationTo(addressOf(subscription))));
    expect(failure).toMatchObject({ code: `HTTP ${status}`, isAnswerLost: false, ...facts });
  });

  it('may be received if the reply is lost', async () => {
    const { subscription } = await browser(cut);
    const failure = await failureOf(provider().send(notificationTo(addressOf(subscription))));
    expect(failure).toMatchObject({ isAnswerLost: true });
  });

  it('is not sent above the size that every push service accepts', async () => {
    const { server, subscription } = await browser();
    const linkUrl = `https://links.example.com/${'x'.repeat(4_000)}`;
    expect(
      await failureOf(provider().send(notificationTo(addressOf(subscription), { linkUrl }))),
    ).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', isFinal: true });
    expect(server.received).toEqual([]);
  });
});

const subscriptionText = 'no subscription https://push.example/secret';

describe('TRAP 96 NTF-43: a subscription for web push', () => {
  it('with a private endpoint receives nothing', async () => {
    const { server, subscription } = await browser();
    const endpoint = subscription.endpoint.replace('http:', 'https:');
    const hostile = [endpoint, 'https://169.254.169.254/latest', 'https://[::1]/'];
    for (const one of hostile)
      expect(
        await failureOf(
          provider('production').send(notificationTo(addressOf({ ...subscription, endpoint: one }))),
        ),
      ).toMatchObject({ code: 'PRIVATE_ADDRESS' });
    expect(server.received).toEqual([]);
  });

  it('with an invalid form or invalid keys receives nothing', async () => {
    const { server, subscription } = await browser();
    const keys = { p256dh: 'AAAA', auth: 'AAAA' };
    const bad = [
      'x',
      'null',
      '{}',
      addressOf({ ...subscription, keys }),
      addressOf({ endpoint: server.origin }),
    ];
    for (const address of bad)
      expect(await failureOf(provider().send(notificationTo(address)))).toMatchObject({
        code: 'ADDRESS_INVALID',
        isFinal: true,
      });
    expect(server.received).toEqual([]);
  });

  it('receives nothing without VAPID settings, which are named', async () => {
    const none = new WebPushProvider(new NotifyConfig());
    expect(none.missingSettings()).toEqual(['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', 'VAPID_SUBJECT']);
    expect(await failureOf(none.send(notificationTo('{}')))).toMatchObject({ code: 'UNCONFIGURED' });
  });
});

function publicKey() {
  const point = Buffer.from(vapid.publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } });
}
