import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { endSession, revokeApiKey } from '@vaultsvc/contracts/auth';
import { FEED_SOCKET_PATH, sendNotification } from '@vaultsvc/contracts/notify';
import { Signals } from '@vaultsvc/messaging';
import { urlOf } from '@vaultsvc/testing/harness';
import { api, succeeded } from '@vaultsvc/testing/http';
import { until } from '@vaultsvc/testing/waiting';
import { mintApiKey, mintSession, type TestApiKey } from '@vaultsvc/tools-testing/accounts';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { gateway } from '@vaultsvc/tools-testing/services/gateway';
import { newSend } from '../access/notify-samples.js';
import { FeedClient } from './feed-client.js';

const SOCKETS_MAX = 3;
const ENTRIES = 6;
const settings = {
  CORS_ORIGINS: 'https://app.test',
  FEED_SOCKETS_PER_ACCOUNT: String(SOCKETS_MAX),
  FEED_POLL_SECONDS: '1',
};
const platform = usePlatform(settings);

/** Sends to one recipient over the socket. */
const notify = async ({ apiKey }: TestApiKey, title: string) => {
  const body = newSend({ title, channels: ['websocket'] }) as never;
  return succeeded(await api(platform.url, { key: apiKey }).call(sendNotification, { body }));
};
/** Another instance of the gateway. */
const startGateway = (changes: Record<string, string> = {}) =>
  platform.harness.start(gateway, {
    ...settings,
    HTTP_PORT: '0',
    LINK_PORT: '0',
    FILES_PORT: '0',
    FORGE_ORIGIN: platform.forgeUrl,
    ...changes,
  });
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const handshake = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
};
/** The refusal of a handshake, whose envelope is checked. */
const refusal = (
  { target = FEED_SOCKET_PATH, ...headers }: Record<string, string | undefined>,
  credentials: { key?: string; jwt?: string } = {},
) => {
  const sent = Object.entries({ ...handshake, ...headers }).filter(([, value]) => value !== undefined);
  return api(platform.url, credentials).send({
    method: 'GET',
    target: target ?? '',
    headers: Object.fromEntries(sent) as Record<string, string>,
  });
};

describe('NTF-44: the live feed', () => {
  it('sends each notification of the account once, in the order of positions, as it is accepted', async () => {
    const key = await mintApiKey(platform.auth);
    const client = await FeedClient.open(platform.url, key.apiKey);
    for (const title of ['First', 'Second']) {
      const { send_id } = await notify(key, title);
      const entries = await client.received(title === 'First' ? 1 : 2);
      expect(entries.at(-1)).toMatchObject({ send_id, title, category: null });
      expect(entries.at(-1)?.link_url).toMatch(new RegExp(`^${platform.linkUrl}/`));
      const { created_at, expires_at } = entries.at(-1) as { created_at: number; expires_at: number };
      expect(expires_at - created_at).toBeGreaterThan(1_439 * 60); // NTF-06: a day unless it is set
      expect(expires_at - created_at).toBeLessThanOrEqual(1_440 * 60);
    }
    expect(client.positions).toEqual([1, 2]);
    await client.close();
  });

  it('NTF-33: has no notification of another account', async () => {
    const [key, other] = [await mintApiKey(platform.auth), await mintApiKey(platform.auth)];
    const [client, stranger] = [
      await FeedClient.open(platform.url, key.apiKey),
      await FeedClient.open(platform.url, other.apiKey),
    ];
    await notify(key, 'Mine');
    await client.received(1);
    // Their own arrives later than a foreign one would have.
    await notify(other, 'Theirs');
    expect(await stranger.received(1)).toEqual([expect.objectContaining({ position: 1, title: 'Theirs' })]);
    expect(client.entries).toHaveLength(1);
    await Promise.all([client.close(), stranger.close()]);
  });

  it('reaches the clients of every instance of the gateway', async () => {
    const key = await mintApiKey(platform.auth);
    const second = await startGateway();
    const clients = [
      await FeedClient.open(platform.url, key.apiKey),
      await FeedClient.open(urlOf(second), key.apiKey),
    ];
    await notify(key, 'Everywhere');
    for (const client of clients) expect(await client.received(1)).toHaveLength(1);
    await clients[0]?.close();
    await second.stop();
    expect(await clients[1]?.closed).toEqual({ code: 1_001, reason: 'This instance stops. Connect again.' });
  });

  it('is only delayed by a lost signal', async () => {
    const key = await mintApiKey(platform.auth);
    const client = await FeedClient.open(platform.url, key.apiKey);
    const signals = platform.notify.context.get(Signals, { strict: false });
    signals.send = () => {}; // NATS loses it
    await notify(key, 'Late');
    expect(await client.received(1).finally(() => Reflect.deleteProperty(signals, 'send'))).toHaveLength(1);
    await client.close();
  });
});

describe('NTF-44: a client of the live feed that reconnects after the last entry that it has received', () => {
  let key: TestApiKey;
  beforeAll(async () => {
    key = await mintApiKey(platform.auth);
    for (const number of upTo(ENTRIES)) await notify(key, `No. ${number}`);
    const client = await FeedClient.open(platform.url, key.apiKey);
    await client.received(ENTRIES);
    await client.close();
  });

  it.each(upTo(ENTRIES))('misses and repeats none when the line is cut after entry %i', async (cut) => {
    const before = await FeedClient.open(platform.url, key.apiKey, { cutAfter: cut });
    await before.closed;
    const after = before.positions.at(-1) as number;
    const later = await FeedClient.open(platform.url, key.apiKey, { after });
    await later.received(ENTRIES - cut);
    expect([...before.positions, ...later.positions]).toEqual(upTo(ENTRIES));
    await later.close();
  });

  it('misses and repeats none when the line is cut after each entry while others are sent', async () => {
    const own = await mintApiKey(platform.auth);
    const sending = Promise.all(upTo(ENTRIES).map((number) => notify(own, `No. ${number}`)));
    const positions: number[] = [];
    while (positions.length < ENTRIES) {
      const after = positions.at(-1) ?? 0;
      const client = await FeedClient.open(platform.url, own.apiKey, { after, cutAfter: 1 });
      await client.closed;
      positions.push(...client.positions);
    }
    await sending;
    expect(positions).toEqual(upTo(ENTRIES));
  });
});

describe('NTF-44: a socket of the live feed', () => {
  it.each([
    ['an access token', 'bearer.'],
    ['an API key', 'api-key.'],
  ])('accepts %s as a subprotocol, and selects its own', async (_, prefix) => {
    const { token } = await mintSession(platform.auth);
    const { apiKey } = await mintApiKey(platform.auth);
    const secret = prefix === 'bearer.' ? token : apiKey;
    const protocols = [`${prefix}${secret}`, 'vaultsvc.v1'];
    const client = await FeedClient.open(platform.url, undefined, { protocols, origin: 'https://app.test' });
    expect(client.protocol).toBe('vaultsvc.v1');
    await client.close();
  });

  it('closes with 4401 when its API key is revoked', async () => {
    const key = await mintApiKey(platform.auth);
    const client = await FeedClient.open(platform.url, key.apiKey);
    const params = { api_key_id: key.apiKeyId };
    succeeded(await api(platform.url, { key: key.apiKey }).call(revokeApiKey, { params }));
    expect(await client.closed).toEqual({ code: 4_401, reason: 'The credential is no longer valid.' });
    expect((await refusal({}, { key: key.apiKey })).status).toBe(401);
  });

  it('closes with 4401 when its session ends', async () => {
    const { token, refreshToken } = await mintSession(platform.auth);
    const headers = { Authorization: `Bearer ${token}` };
    const client = await FeedClient.open(platform.url, undefined, { headers });
    const body = { refresh_token: refreshToken };
    expect((await api(platform.url).call(endSession, { body })).status).toBe(204);
    expect(await client.closed).toMatchObject({ code: 4_401 });
  });

  it('closes with 1008 when its client sends a message', async () => {
    const { apiKey } = await mintApiKey(platform.auth);
    const client = await FeedClient.open(platform.url, apiKey);
    client.say('hello');
    expect(await client.closed).toEqual({ code: 1_008, reason: 'This socket accepts no messages.' });
  });

  it('is cut when its client answers no ping', async () => {
    const { apiKey } = await mintApiKey(platform.auth);
    const impatient = await startGateway({ FEED_PING_SECONDS: '1' });
    const client = await FeedClient.open(urlOf(impatient), apiKey, { autoPong: false });
    expect(await client.closed).toMatchObject({ code: 1_006 });
    await impatient.stop();
  });

  it(`ENV-44: is one of ${SOCKETS_MAX} of its account at most: 429, until another one closes`, async () => {
    const { apiKey } = await mintApiKey(platform.auth);
    const clients = [];
    for (const _ of upTo(SOCKETS_MAX)) clients.push(await FeedClient.open(platform.url, apiKey));
    const refused = await refusal({}, { key: apiKey });
    expect(refused).toMatchObject({
      status: 429,
      error: {
        code: 'RATE_LIMIT_EXCEEDED',
        details: { limit: SOCKETS_MAX, used: SOCKETS_MAX, resets_at: expect.any(Number) },
      },
      headers: { 'retry-after': '1' },
    });
    await clients.pop()?.close();
    // The gateway notices the end of the connection after its client.
    await until(async () => clients.push(await FeedClient.open(platform.url, apiKey)) === SOCKETS_MAX);
    await Promise.all(clients.map((client) => client.close()));
  });
});

describe('NTF-44 AMB-13: a handshake with the live feed', () => {
  it('is refused in the envelope without a valid credential: 401', async () => {
    for (const credentials of [{}, { key: 'vk_nothing' }, { jwt: 'a.b.c' }])
      expect(await refusal({}, credentials)).toMatchObject({
        status: 401,
        error: { code: 'AUTHENTICATION_ERROR' },
      });
    const { apiKey } = await mintApiKey(platform.auth);
    expect((await refusal({ target: `${FEED_SOCKET_PATH}?key=${apiKey}` })).status).toBe(401);
  });

  it('is refused for an identity-only session and for a page of an unlisted origin: 403', async () => {
    const { token } = await mintSession(platform.auth, { sessionType: 'identity_only' });
    expect(await refusal({}, { jwt: token })).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
    const { apiKey } = await mintApiKey(platform.auth);
    expect((await refusal({ Origin: 'https://evil.test' }, { key: apiKey })).status).toBe(403);
  });

  it('is refused with 400 when it is malformed, or asks for entries after the last one', async () => {
    const { apiKey: key } = await mintApiKey(platform.auth);
    for (const change of [
      { Upgrade: undefined, Connection: 'close' },
      { Upgrade: 'h2c' },
      { 'Sec-WebSocket-Version': '8' },
      { 'Sec-WebSocket-Key': 'short' },
      { 'Sec-WebSocket-Protocol': 'other' },
      { 'Sec-WebSocket-Protocol': 'vaultsvc.v1, vaultsvc.v1' },
      { target: `${FEED_SOCKET_PATH}?after=-1` },
      { target: `${FEED_SOCKET_PATH}?after=x` },
      { target: `${FEED_SOCKET_PATH}?after=1` },
    ])
      expect(await refusal(change, { key })).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION_ERROR' },
      });
  });
});

describe('OPEN-55: a request with Upgrade to another route', () => {
  it('is answered as if it had none, with a body, too', async () => {
    const { apiKey: key } = await mintApiKey(platform.auth);
    expect((await refusal({ target: '/v1/account', Upgrade: 'h2c' }, { key })).status).toBe(200);
    expect((await refusal({ target: '/v1/nothing' }, { key })).status).toBe(404);
    const withBody = { method: 'POST', target: '/v1/sparks', headers: handshake, body: { payload: 'a' } };
    expect((await api(platform.url, { key }).send(withBody)).status).toBe(201);
  });

  it('is answered after the earlier requests of its connection', async () => {
    const { hostname, port } = new URL(platform.url);
    const socket = connect(Number(port), hostname);
    const request = (headers: string) => `GET /v1/health HTTP/1.1\r\nHost: ${hostname}\r\n${headers}\r\n`;
    socket.write(request('') + request('') + request('Connection: Upgrade, close\r\nUpgrade: h2c\r\n'));
    let text = '';
    socket.on('data', (part: Buffer) => (text += part.toString()));
    await once(socket, 'close');
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
  });
});
