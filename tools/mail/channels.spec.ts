import { once } from 'node:events';
import { connect } from 'node:http2';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import webPush from 'web-push';
import { NOTIFICATIONS_MAX } from './message-store.ts';
import { startInbox } from './server.ts';

let inbox: Awaited<ReturnType<typeof startInbox>>;
beforeAll(async () => {
  inbox = await startInbox({ httpPort: 0, smtpPort: 0, host: '127.0.0.1' });
});
afterAll(() => inbox.stop());
beforeEach(() => get('/messages/all', { method: 'DELETE' }));

const get = (path: string, init?: RequestInit) => fetch(`${inbox.httpUrl}${path}`, init);
const list = async () => (await (await get('/messages')).json()) as Record<string, unknown>[];

const account = `AC${'0'.repeat(32)}`;
const basic = `Basic ${Buffer.from(`${account}:token`).toString('base64')}`;
const twilio = (resource: string, form: Record<string, string>) =>
  get(`/2010-04-01/Accounts/${account}/${resource}.json`, {
    method: 'POST',
    headers: { authorization: basic },
    body: new URLSearchParams(form),
  });
const json = (path: string, value: unknown, headers: Record<string, string> = {}) =>
  get(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  });

describe("NTF-43: the local inbox, called as Twilio's API,", () => {
  const to = '+4915112345678';
  const template = {
    ContentSid: `HX${'a'.repeat(32)}`,
    ContentVariables: '{"1":"Hello","2":"https://l.example"}',
  };

  it('receives messages of WhatsApp and RCS by the prefix of the number', async () => {
    const whatsApp = { To: `whatsapp:${to}`, From: 'whatsapp:+14155550101' };
    expect((await twilio('Messages', { ...whatsApp, Body: 'free' })).status).toBe(201);
    expect((await twilio('Messages', { ...whatsApp, ...template })).status).toBe(201);
    expect((await twilio('Messages', { To: `rcs:${to}`, From: 'rcs:agent', Body: 'rich' })).status).toBe(201);
    expect(await list()).toEqual([
      expect.objectContaining({ channel: 'whatsapp', to, text: 'free' }),
      expect.objectContaining({ channel: 'whatsapp', to, text: 'Hello\nhttps://l.example' }),
      expect.objectContaining({ channel: 'rcs', to, from: 'rcs:agent', text: 'rich' }),
    ]);
  });

  it.each([
    ['a sender of another channel', { To: `whatsapp:${to}`, From: '+14155550101', Body: 'x' }, 21212],
    [
      'a template that is none',
      { To: `whatsapp:${to}`, From: 'whatsapp:+14155550101', ContentSid: 'x' },
      21656,
    ],
    ['a number that is invalid', { To: 'rcs:+15005550001', From: 'rcs:agent', Body: 'x' }, 21211],
  ])('rejects %s', async (_, form, code) => {
    const answer = await twilio('Messages', form);
    expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ code })]);
    expect(await list()).toEqual([]);
  });

  it('receives calls, and shows the words that are said', async () => {
    const Twiml = '<Response><Say>Ada &amp; Bob &lt;3</Say></Response>';
    const answer = await twilio('Calls', { To: to, From: '+14155550102', Twiml });
    expect([answer.status, await answer.json()]).toEqual([
      201,
      expect.objectContaining({ sid: expect.stringMatching(/^CA[0-9a-f]{32}$/), status: 'queued' }),
    ]);
    expect(await list()).toEqual([expect.objectContaining({ channel: 'voice', to, text: 'Ada & Bob <3' })]);
    for (const bad of [{ Twiml: '' }, { Twiml: 'words' }, { From: 'x' }, { To: '' }])
      expect((await twilio('Calls', { To: to, From: '+14155550102', Twiml, ...bad })).status).toBe(400);
  });
});

describe('NTF-43: the local inbox, called as a push service,', () => {
  it('receives messages of FCM with an access token that it has issued', async () => {
    const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: 'a.b.c' };
    const exchanged = await get('/fcm/token', { method: 'POST', body: new URLSearchParams(grant) });
    const { access_token: token } = (await exchanged.json()) as { access_token: string };
    const message = {
      token: 'device',
      notification: { title: 'T', body: 'B' },
      data: { link_url: 'https://l' },
    };
    const path = '/v1/projects/p-1/messages:send';
    expect((await json(path, { message })).status).toBe(401);
    const authorization = `Bearer ${token}`;
    expect(await (await json(path, { message }, { authorization })).json()).toEqual({
      name: expect.stringMatching(/^projects\/p-1\/messages\/\w+$/),
    });
    expect(await list()).toEqual([
      expect.objectContaining({ channel: 'push', to: 'device', title: 'T', text: 'B\nhttps://l' }),
    ]);
    const gone = { message: { ...message, token: 'unregistered-1' } };
    expect((await json(path, gone, { authorization })).status).toBe(404);
  });

  it('receives notifications of APNs over HTTP/2, and knows which devices have gone', async () => {
    const session = connect(inbox.apnsUrl);
    const push = async (device: string, headers: Record<string, string> = {}) => {
      const stream = session.request({
        ':method': 'POST',
        ':path': `/3/device/${device}`,
        authorization: 'bearer a.b.c',
        'apns-topic': 'com.example.app',
        ...headers,
      });
      stream.end(JSON.stringify({ aps: { alert: { title: 'T', body: 'B' } }, link_url: 'https://l' }));
      const [[reply], body] = (await Promise.all([once(stream, 'response'), text(stream)])) as [
        [Record<string, unknown>],
        string,
      ];
      return [reply[':status'], body];
    };
    expect(await push('aabbccdd')).toEqual([200, '']);
    expect(await push('deadbeef')).toEqual([410, '{"reason":"Unregistered"}']);
    expect(await push('xx')).toEqual([400, '{"reason":"BadDeviceToken"}']);
    expect(await push('aabbccdd', { authorization: 'x' })).toEqual([
      403,
      '{"reason":"MissingProviderToken"}',
    ]);
    expect(await push('aabbccdd', { ':authority': 'evil.test' })).toEqual([421, '']); // DNS rebinding
    session.close();
    expect(await list()).toEqual([
      expect.objectContaining({ channel: 'push', to: 'aabbccdd', title: 'T', text: 'B\nhttps://l' }),
    ]);
  });

  it('decrypts web pushes to its own subscription, and answers 410 for all others', async () => {
    const subscription = (await (await get('/push/subscription')).json()) as webPush.PushSubscription;
    const keys = webPush.generateVAPIDKeys();
    const vapidDetails = { subject: 'mailto:a@example.com', ...keys };
    const payload = JSON.stringify({ title: 'T', body: 'B', data: { link_url: 'https://l' } });
    const push = async (endpoint: string) => {
      const target = { ...subscription, endpoint };
      const { headers, body } = webPush.generateRequestDetails(target, payload, { vapidDetails, TTL: 60 });
      const sent = new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      return (await fetch(endpoint, { method: 'POST', headers: sent, body: new Uint8Array(body) })).status;
    };
    expect(await push(subscription.endpoint)).toBe(201);
    expect(await push(`${inbox.httpUrl}/push/other`)).toBe(410);
    expect(await list()).toEqual([
      expect.objectContaining({ channel: 'web_push', title: 'T', text: 'B\nhttps://l' }),
    ]);
    expect((await json(new URL(subscription.endpoint).pathname, {})).status).toBe(401);
  });
});

describe('NTF-43: the local inbox, called as a webhook,', () => {
  it('receives signed webhooks, and rejects those without a signature', async () => {
    const event = { type: 'notification', timestamp: '', data: { title: 'T', link_url: 'https://l' } };
    expect((await json('/webhook/orders', event)).status).toBe(400);
    const headers = { 'webhook-id': '1', 'webhook-timestamp': '2', 'webhook-signature': 'v1,x' };
    expect((await json('/webhook/orders', event, headers)).status).toBe(204);
    expect(await list()).toEqual([
      expect.objectContaining({ channel: 'webhook', to: '/webhook/orders', title: 'T', details: headers }),
    ]);
  });

  it('answers as Slack and as Workflows of Teams do', async () => {
    const slack = await json('/slack', {
      text: 'fallback',
      blocks: [
        { type: 'section', text: { type: 'plain_text', text: 'one' } },
        { type: 'section', text: { type: 'mrkdwn', text: '<https://l|open> &amp; read' } },
      ],
    });
    expect([slack.status, await slack.text()]).toEqual([200, 'ok']);
    const bad = await json('/slack', {});
    expect([bad.status, await bad.text()]).toEqual([400, 'no_text']);
    const content = {
      type: 'AdaptiveCard',
      body: [{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: 'two' }] }],
      actions: [{ type: 'Action.OpenUrl', title: 'open', url: 'https://l' }],
    };
    const contentType = 'application/vnd.microsoft.card.adaptive';
    expect((await json('/teams', { type: 'message', attachments: [{ contentType, content }] })).status).toBe(
      202,
    );
    expect((await json('/teams', { text: 'x' })).status).toBe(400);
    expect(await list()).toEqual([
      expect.objectContaining({ channel: 'slack', text: 'one\nopen: https://l & read' }),
      expect.objectContaining({ channel: 'teams', text: 'two\nopen: https://l' }),
    ]);
  });
});

describe('NTF-43: the messages of the local inbox', () => {
  const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>';

  it('are on the page, escaped, whatever their channel', async () => {
    await json(`/slack/${encodeURIComponent('"><b>')}`, { text: hostile });
    const [{ id }] = (await list()) as [{ id: string }];
    const page = await (await get(`/?message=${id}`)).text();
    expect(page).not.toMatch(/<b>|<img|<script>/);
    expect(page).toContain('<h2>Slack</h2>');
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('are opened and deleted one by one', async () => {
    await json('/slack', { text: 'one' });
    const [{ id, read }] = (await list()) as [{ id: string; read: boolean }];
    expect(read).toBe(false);
    expect(await (await get(`/messages/${id}`)).json()).toMatchObject({ text: 'one', read: true });
    expect((await get(`/messages/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await get(`/messages/${id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await get(`/messages/${id}`)).status).toBe(404);
  });

  it(`are ${NOTIFICATIONS_MAX} at most; the oldest is deleted first`, () => {
    const sent = {
      channel: 'slack',
      from: '',
      to: '/slack',
      title: '',
      text: 'x',
      details: {},
      content: {},
    } as const;
    const first = inbox.inbox.receiveNotification(sent);
    for (let i = 0; i < NOTIFICATIONS_MAX; i++) inbox.inbox.receiveNotification(sent);
    expect(inbox.inbox.notifications.list()).toHaveLength(NOTIFICATIONS_MAX);
    expect(inbox.inbox.notifications.open(first.id)).toBeUndefined();
  });
});
