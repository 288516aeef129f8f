import { once } from 'node:events';
import { connect } from 'node:http2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTransport } from 'nodemailer';
import webPush from 'web-push';
import { startInbox } from './server.ts';

let inbox: Awaited<ReturnType<typeof startInbox>>;
beforeAll(async () => {
  inbox = await startInbox({ httpPort: 0, smtpPort: 0, host: '127.0.0.1' });
});
afterAll(() => inbox.stop());
beforeEach(() => get('/messages/all', { method: 'DELETE' }));

const get = (path: string, init?: RequestInit) =>
  fetch(`${inbox.httpUrl}${path}`, { redirect: 'manual', ...init });
const text = async (path: string) => (await get(path)).text();
const list = async (query = '') =>
  (await (await get(`/messages${query}`)).json()) as { id: string; channel: string; text: string }[];
const ids = async () => (await list()).map(({ id }) => id);

const mail =
  'From: Zoë <zoe@example.test>\r\nTo: ada@example.test\r\nSubject: Invoice of May\r\nX-Odd:  two  spaces\r\n\r\nPlease pay.\r\n';

async function sendMail(raw = mail): Promise<void> {
  const transport = createTransport(inbox.smtpUrl);
  await transport.sendMail({ raw, envelope: { from: 'zoe@example.test', to: 'ada@example.test' } });
  transport.close();
}

function sendText(Body: string): Promise<Response> {
  const account = `AC${'0'.repeat(32)}`;
  return get(`/2010-04-01/Accounts/${account}/Messages.json`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${account}:hidden-token`).toString('base64')}` },
    body: new URLSearchParams({ To: '+4915112345678', From: '+14155550100', Body }),
  });
}

function post(path: string, value: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const sent = { 'content-type': 'application/json', ...headers };
  return get(path, { method: 'POST', headers: sent, body: JSON.stringify(value) });
}

describe('OPEN-35: the search of the local inbox', () => {
  beforeEach(async () => {
    await sendMail();
    await sendText('Your code is 123456');
    await post('/slack/ops', { text: 'Ada <b>invoice</b>' });
  });

  it.each([
    ['ZOË', ['email']],
    ['ada@example.test', ['email']],
    ['invoice', ['email', 'slack']],
    ['may invoice', ['email']],
    ['pay.', ['email']],
    ['+14155550100', ['sms']],
    ['5112345678', ['sms']],
    ['code', ['sms']],
    ['/slack/ops', ['slack']],
    ['e-mail', ['email']],
    ['', ['email', 'sms', 'slack']],
    ['nothing', []],
  ])('finds every word of "%s" in sender, recipient, subject, text or channel', async (query, channels) => {
    const found = await list(`?${new URLSearchParams({ q: query })}`);
    expect(found.map(({ channel }) => channel)).toEqual(channels);
  });

  it('keeps the query on the page, escaped, and shows how many messages it leaves out', async () => {
    const page = await text(`/?${new URLSearchParams({ q: '<b>invoice' })}`);
    expect(page).toContain('value="&lt;b&gt;invoice"');
    expect(page).toContain('1 of 3 with <q>&lt;b&gt;invoice</q>');
    expect(page).toMatch(/href="\/\?message=[0-9a-f]+&amp;q=%3Cb%3Einvoice"/);
    expect(page).not.toContain('123456');
    expect(page).not.toContain('<b>');
  });
});

describe('OPEN-35: the source of a message in the local inbox', () => {
  it('is the mail, byte for byte, as text that no browser interprets', async () => {
    await sendMail(`${mail}<script>alert(1)</script>\r\n`);
    const [id] = await ids();
    const answer = await get(`/messages/${id}/raw`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    expect(await answer.text()).toBe(`${mail}<script>alert(1)</script>\r\n`);
  });

  it('is the request of a text message, without its credentials', async () => {
    await sendText('Your code is 123456');
    const [id] = await ids();
    const source = await text(`/messages/${id}/raw`);
    expect(source).toMatch(/^POST \/2010-04-01\/Accounts\/AC0+\/Messages\.json\n/);
    expect(source).toContain('\nauthorization: (left out)\n');
    expect(source).toMatch(/\n\nTo=%2B4915112345678&From=%2B14155550100&Body=Your\+code\+is\+123456$/);
  });

  it('is the request of a webhook, with its signature', async () => {
    const event = { type: 'notification', data: { title: 'T' } };
    await post('/webhook/orders', event, {
      'webhook-id': '1',
      'webhook-timestamp': '2',
      'webhook-signature': 'v1,x',
    });
    const [id] = await ids();
    const source = await text(`/messages/${id}/raw`);
    expect(source).toMatch(/^POST \/webhook\/orders\n(.+\n)*webhook-signature: v1,x\n/);
    expect(source.split('\n\n')[1]).toBe(JSON.stringify(event));
  });

  it('is the request of a push by APNs, and of an encrypted web push in Base64', async () => {
    const session = connect(inbox.apnsUrl);
    const headers = {
      ':method': 'POST',
      ':path': '/3/device/aabbccdd',
      authorization: 'bearer a.b.c',
      'apns-topic': 'app',
    };
    const stream = session.request(headers);
    stream.end('{"aps":{"alert":{"title":"T"}}}');
    await once(stream, 'response');
    session.close();
    const subscription = (await (await get('/push/subscription')).json()) as webPush.PushSubscription;
    const vapidDetails = { subject: 'mailto:a@example.com', ...webPush.generateVAPIDKeys() };
    const pushed = webPush.generateRequestDetails(subscription, '{"title":"T"}', { vapidDetails, TTL: 60 });
    const sent = Object.entries(pushed.headers).map(
      ([name, value]) => [name, String(value)] as [string, string],
    );
    await get(new URL(subscription.endpoint).pathname, {
      method: 'POST',
      headers: sent,
      body: new Uint8Array(pushed.body ?? []),
    });
    const [apns = '', web = ''] = await Promise.all((await ids()).map((id) => text(`/messages/${id}/raw`)));
    expect(apns).toBe(
      'POST /3/device/aabbccdd\nauthorization: (left out)\napns-topic: app\n\n{"aps":{"alert":{"title":"T"}}}',
    );
    expect(web.endsWith(`\n\n(not text, in Base64)\n${pushed.body?.toString('base64')}`)).toBe(true);
  });

  it('answers 404 for an unknown message', async () => {
    expect((await get('/messages/0a/raw')).status).toBe(404);
  });
});

describe('OPEN-35: the forms of the local inbox', () => {
  const sameOrigin = { 'sec-fetch-site': 'same-origin' };
  const form = (path: string, headers: Record<string, string>, body = '') =>
    get(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body,
    });

  it('delete one message, and lead back to the list with its search', async () => {
    await sendMail();
    await sendText('kept');
    const [id] = await ids();
    const answer = await form(`/messages/${id}/delete`, sameOrigin, 'q=a+%26');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/?q=a+%26']);
    expect((await list()).map(({ channel }) => channel)).toEqual(['sms']);
    const again = await form(`/messages/${id}/delete`, sameOrigin);
    expect([again.status, again.headers.get('location')]).toEqual([303, '/']);
  });

  it('ask before they delete all messages', async () => {
    await sendMail();
    await sendText('two');
    const page = await text('/?delete=all');
    expect(page).toContain('<h2>Delete all 2 messages?</h2>');
    expect(page).toContain('action="/messages/all/delete"');
    expect(await list()).toHaveLength(2);
    expect((await form('/messages/all/delete', sameOrigin)).status).toBe(303);
    expect(await list()).toEqual([]);
    expect(await text('/?delete=all')).toContain('Nothing was sent yet.');
  });

  it.each([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['of another site, by a navigation', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['of an older browser on another site', { origin: 'https://evil.example' }],
    ['of a document without an origin', { origin: 'null' }],
  ])('are refused to a page %s', async (_, headers: Record<string, string>) => {
    await sendMail();
    const [id] = await ids();
    for (const path of [`/messages/${id}/delete`, '/messages/all/delete'])
      expect((await form(path, headers)).status).toBe(403);
    expect((await get('/messages/all', { method: 'DELETE', headers })).status).toBe(403);
    expect(await ids()).toEqual([id]);
  });

  it('delete nothing by GET', async () => {
    await sendMail();
    const [id] = await ids();
    await get(`/messages/${id}/delete`);
    await get('/messages/all/delete');
    expect(await ids()).toEqual([id]);
  });
});
