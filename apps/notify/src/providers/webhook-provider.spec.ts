import { afterEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@vaultsvc/config';
import { webhookSignature } from '@vaultsvc/crypto/mac';
import { timed } from '@vaultsvc/testing/waiting';
import { NotifyConfig } from '../config.js';
import { cut, ProviderServer, reply, type Respond } from '../testing/provider-server.js';
import { failureOf, notificationTo } from '../testing/sample-notification.js';
import { WebhookProvider } from './webhook-provider.js';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function server(respond?: Respond): Promise<ProviderServer> {
  const started = await ProviderServer.start(respond);
  servers.push(started);
  return started;
}

function provider(PROFILE: NotifyConfig['PROFILE'] = 'local'): WebhookProvider {
  return new WebhookProvider(Object.assign(new NotifyConfig(), { PROFILE }));
}

const to = (address: string) => notificationTo(address, { secrets: [new Secret(secret)] });

describe('NTF-13 NTF-43: a notification to a webhook', () => {
  it('is signed as in Standard Webhooks, under the id of the delivery', async () => {
    const { origin, received } = await server(reply(204));
    const notification = to(`${origin}/hooks?x=1`);
    const { from, to: until } = await timed(() => provider().send(notification));
    const [{ path, headers, body }] = received as [(typeof received)[0]];
    const timestamp = Number(headers['webhook-timestamp']);
    expect(path).toBe('/hooks?x=1');
    expect(headers['webhook-id']).toBe(notification.deliveryId);
    expect(timestamp).toBeGreaterThanOrEqual(Math.floor(from));
    expect(timestamp).toBeLessThanOrEqual(until);
    const parts = { id: notification.deliveryId, timestamp, body: body.toString() };
    expect(headers['webhook-signature']).toBe(webhookSignature(secret, parts));
    expect(JSON.parse(body.toString())).toEqual({
      type: 'notification',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: {
        send_id: 'ntsnd_1',
        recipient: 'ada@example.com',
        organization_name: 'Engines',
        title: 'Contract',
        category: 'approval',
        type: 'contract',
        link_url: notification.linkUrl,
        expires_at: notification.expiresAt,
      },
    });
  });

  it('OPEN-35: has a signature of each secret, the present one first', async () => {
    const { origin, received } = await server(reply(204));
    const former = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    await provider().send(notificationTo(origin, { secrets: [new Secret(secret), new Secret(former)] }));
    const [{ headers, body }] = received as [(typeof received)[0]];
    const parts = {
      id: String(headers['webhook-id']),
      timestamp: Number(headers['webhook-timestamp']),
      body: body.toString(),
    };
    expect(headers['webhook-signature']).toBe(
      `${webhookSignature(secret, parts)} ${webhookSignature(former, parts)}`,
    );
  });

  it.each([
    [302, { isFinal: false, isAddressGone: false }],
    [400, { isFinal: false, isAddressGone: false }],
    [410, { isFinal: true, isAddressGone: true }],
    [500, { isFinal: false, isAddressGone: false }],
  ])('fails with %i', async (status, facts) => {
    const { origin, received } = await server(reply(status, 'hunter2', { location: 'http://127.0.0.1:1/' }));
    const failure = await failureOf(provider().send(to(origin)));
    expect(failure).toMatchObject({ code: `HTTP ${status}`, isAnswerLost: false, ...facts });
    expect(received).toHaveLength(1);
  });

  it('has the delay that the receiver asks for, and may be received if the reply is lost', async () => {
    const busy = await server(reply(503, '', { 'retry-after': '120' }));
    expect(await failureOf(provider().send(to(busy.origin)))).toMatchObject({ retryAfterMs: 120_000 });
    const broken = await server(cut);
    expect(await failureOf(provider().send(to(broken.origin)))).toMatchObject({ isAnswerLost: true });
  });

  it('without a secret of the account is unconfigured', async () => {
    const { origin, received } = await server();
    expect(await failureOf(provider().send(notificationTo(origin)))).toMatchObject({ code: 'UNCONFIGURED' });
    expect(received).toEqual([]);
  });
});

describe('TRAP 96 NTF-43: the URL of a webhook', () => {
  it.each(['https://127.0.0.1:PORT', 'https://[::1]:PORT', 'https://2130706433:PORT', 'https://10.0.0.1/'])(
    'reaches no private address in production: %s',
    async (url) => {
      const { origin, received } = await server();
      const address = url.replace('PORT', new URL(origin).port);
      expect(await failureOf(provider('production').send(to(address)))).toMatchObject({
        code: 'PRIVATE_ADDRESS',
        isFinal: true,
      });
      expect(received).toEqual([]);
    },
  );

  it('reaches no name that resolves to a private address in production', async () => {
    const { origin, received } = await server();
    const address = `https://localhost:${new URL(origin).port}`;
    const failure = await failureOf(provider('production').send(to(address)));
    expect(failure).toMatchObject({ code: 'PRIVATE_ADDRESS', isFinal: false, isAnswerLost: false });
    expect(received).toEqual([]);
  });

  it.each(['http://example.com', 'ftp://example.com', 'https://user:pass@example.com', 'nonsense'])(
    'must be https, without credentials: %s',
    async (address) => {
      for (const profile of ['local', 'production'] as const)
        expect(await failureOf(provider(profile).send(to(address)))).toMatchObject({
          code: 'ADDRESS_INVALID',
          isFinal: true,
        });
    },
  );

  it('may be on another private host not even in the local profile', async () => {
    expect(await failureOf(provider().send(to('https://10.0.0.1/')))).toMatchObject({
      code: 'PRIVATE_ADDRESS',
    });
  });
});
