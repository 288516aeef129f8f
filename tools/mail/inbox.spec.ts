import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { mailPlan } from '../stack/servers/mail.ts';
import { MessageStore, MAILS_MAX, STORED_BYTES_MAX, TEXTS_MAX } from './message-store.ts';
import { segmentsOf } from './segments.ts';

const program = fileURLToPath(new URL('inbox.ts', import.meta.url));

interface Mailbox {
  readonly address: string;
  readonly name: string;
}
interface Mail {
  readonly id: string;
  readonly time: string;
  readonly from: Mailbox[];
  readonly to: Mailbox[];
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly headers: Record<string, string | string[]>;
}

let inbox: ChildProcess;
let httpUrl: string;
let smtpUrl: string;
beforeAll(async () => {
  inbox = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(inbox.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  [, httpUrl, smtpUrl] = /listening on (\S+), (\S+)/.exec(line.toString()) as unknown as [
    string,
    string,
    string,
  ];
});
afterAll(async () => {
  inbox.kill('SIGTERM');
  expect(await once(inbox, 'exit')).toEqual([0, null]);
});
beforeEach(async () => {
  for (const kind of ['email', 'sms']) await fetch(`${httpUrl}/${kind}/all`, { method: 'DELETE' });
});

const from = { name: 'Sender', address: 'sender@example.test' };

async function send(mail: SendMailOptions): Promise<void> {
  const transport = createTransport(smtpUrl);
  await transport.sendMail({ from, to: 'reader@example.test', ...mail });
  transport.close();
}

async function mails(): Promise<Mail[]> {
  return (await (await fetch(`${httpUrl}/email`)).json()) as Mail[];
}

const get = (path: string, init?: RequestInit) => fetch(`${httpUrl}${path}`, init);

describe('OPEN-35: the local inbox', () => {
  it('returns received mails in the format of MailDev, the newest last', async () => {
    await send({ subject: 'First', text: 'one' });
    await send({
      subject: 'Zweite Änderung 🎉',
      to: [{ name: 'Ada, Countess', address: 'ada@example.test' }, 'bob@example.test'],
      text: 'plain',
      html: '<p>rich</p>',
      headers: { 'X-Twice': ['a', 'b'] },
    });
    const [first, second] = await mails();
    expect(first).toMatchObject({ subject: 'First', text: 'one\n' });
    expect(second).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{12}$/),
      from: [from],
      to: [
        { name: 'Ada, Countess', address: 'ada@example.test' },
        { name: '', address: 'bob@example.test' },
      ],
      subject: 'Zweite Änderung 🎉',
      text: 'plain\n',
      html: '<p>rich</p>\n',
      headers: { 'x-twice': ['a', 'b'], 'message-id': expect.stringContaining('@example.test>') },
      envelope: { from: 'sender@example.test', to: ['ada@example.test', 'bob@example.test'] },
      attachments: [],
    });
    expect(Math.abs(Date.now() - Date.parse(second?.time as string))).toBeLessThan(60_000);
  });

  it('returns one mail, deletes one or all, and answers 404 for an unknown one', async () => {
    for (const subject of ['a', 'b', 'c']) await send({ subject, text: subject });
    const [a, b] = await mails();
    expect(await (await get(`/email/${a?.id}`)).json()).toMatchObject({ subject: 'a', read: true });
    expect((await get(`/email/${b?.id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await get(`/email/${b?.id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await mails()).map(({ subject }) => subject)).toEqual(['a', 'c']);
    await get('/email/all', { method: 'DELETE' });
    expect(await mails()).toEqual([]);
    for (const path of [`/email/${a?.id}`, '/email/0', '/__proto__', '/email/../package.json'])
      expect((await get(path)).status).toBe(404);
    expect((await get('/email', { method: 'POST' })).status).toBe(405);
  });

  it('rejects a mail above 10 MiB and accepts the next one', async () => {
    await expect(send({ text: 'x'.repeat(11 * 1024 * 1024) })).rejects.toMatchObject({ responseCode: 552 });
    await send({ subject: 'small' });
    expect(await mails()).toHaveLength(1);
  });

  it('accepts a mail that is not MIME', async () => {
    await send({ raw: 'no headers\r\n\r\n=?bad?= \x00\xff', envelope: { from: 'a@b.test', to: 'c@d.test' } });
    expect(await mails()).toHaveLength(1);
  });

  it('reports a port in use or an invalid option in one line', async () => {
    // Not execFileSync, which would block this process while the inbox closes its idle connection.
    const run = (...args: string[]) =>
      promisify(execFile)(process.execPath, [program, ...args]).then(
        ({ stdout }) => stdout,
        ({ stderr }: { stderr: string }) => stderr,
      );
    const { port } = new URL(httpUrl);
    expect(await run('--http-port', port)).toMatch(/^mail: .*EADDRINUSE.*\n$/);
    expect(await run('--smtp-port', 'x')).toBe('mail: --smtp-port must be a number from 0 to 65535\n');
    expect(await run('--bogus')).toMatch(/^mail: Unknown option '--bogus'.*\n$/);
  });

  it('satisfies the readiness probe of the stack', async () => {
    const common = { smtpPort: 1, apnsPort: 1, logPath: '/dev/null', childrenDir: '/nowhere' };
    const plan = mailPlan({ ...common, port: Number(new URL(httpUrl).port) });
    await expect(plan.probe()).resolves.toBeUndefined();
    await expect(mailPlan({ ...common, port: 1 }).probe()).rejects.toThrow();
  });
});

const account = `AC${'0'.repeat(32)}`;
const sms = { To: '+4915112345678', From: '+14155550100', Body: 'Hello' };

function post(form: Record<string, string>, login = `${account}:token`): Promise<Response> {
  return get(`/2010-04-01/Accounts/${account}/Messages.json`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(login).toString('base64')}` },
    body: new URLSearchParams(form),
  });
}

const texts = async () => (await (await get('/sms')).json()) as { id: string; text: string }[];

describe('OPEN-35: the SMS API of the local inbox', () => {
  it('accepts text messages as Twilio does, and lists them, the newest last', async () => {
    const answer = await post(sms);
    expect([answer.status, await answer.json()]).toEqual([
      201,
      expect.objectContaining({
        sid: expect.stringMatching(/^SM[0-9a-f]{32}$/),
        account_sid: account,
        to: sms.To,
        from: sms.From,
        body: 'Hello',
        status: 'queued',
        num_segments: '1',
      }),
    ]);
    const { From, ...rest } = sms;
    const service = `MG${'a'.repeat(32)}`;
    await post({ ...rest, MessagingServiceSid: service, Body: 'Zweite 🎉', ValidityPeriod: '600' });
    const [first, second] = await texts();
    expect(first).toMatchObject({ from: From, to: sms.To, text: 'Hello', encoding: 'GSM-7', segments: 1 });
    expect(second).toMatchObject({ from: service, text: 'Zweite 🎉', encoding: 'UCS-2', read: false });
    expect(await (await get(`/sms/${second?.id}`)).json()).toMatchObject({ text: 'Zweite 🎉', read: true });
    expect((await get(`/sms/${first?.id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await get(`/sms/${first?.id}`)).status).toBe(404);
    expect(await texts()).toHaveLength(1);
  });

  it.each([
    ['a missing number', { To: '' }, 21604],
    ['an invalid number', { To: '0151 12345678' }, 21211],
    ['the test number that is invalid', { To: '+15005550001' }, 21211],
    ['the test number in a region without permission', { To: '+15005550003' }, 21408],
    ['the test number that is unsubscribed', { To: '+15005550004' }, 21610],
    ['a missing sender', { From: '' }, 21603],
    ['an invalid sender', { From: 'x' }, 21212],
    ['a missing text', { Body: '' }, 21602],
    ['a text that is too long', { Body: 'x'.repeat(1_601) }, 21617],
    ['a validity period that is too long', { ValidityPeriod: '36001' }, 21624],
  ])("rejects %s with Twilio's code", async (_, changes, code) => {
    const answer = await post({ ...sms, ...changes });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { code, message: expect.any(String), more_info: expect.stringContaining(`/${code}`), status: 400 },
    ]);
    expect(await texts()).toEqual([]);
  });

  it.each([
    ['', 401],
    [`AC${'1'.repeat(32)}:token`, 401],
    [`${account}:`, 401],
  ])('rejects the credentials %j', async (login, status) => {
    const answer = await post(sms, login);
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ code: 20003 })]);
  });

  it('passes its messages to the page, as escaped text with links', async () => {
    await send({ subject: 'A mail' });
    await post({ ...sms, Body: '<b>123456</b>: https://links.example/abc' });
    const page = await (await get(`/?sms=${(await texts())[0]?.id}`)).text();
    expect(page).toContain('&lt;b&gt;123456&lt;/b&gt;: <a href="https://links.example/abc" target="_blank"');
    expect(page).toContain('1 segment, GSM-7');
    expect(page.indexOf('123456')).toBeLessThan(page.indexOf('A mail'));
    expect(page).not.toContain('<b>');
  });
});

describe('The encoding and segments of a text message (3GPP TS 23.038)', () => {
  it.each([
    [160, 'x', '', 'GSM-7', 1],
    [161, 'x', '', 'GSM-7', 2],
    [306, 'x', '', 'GSM-7', 2],
    [307, 'x', '', 'GSM-7', 3],
    [158, 'x', '€', 'GSM-7', 1],
    [159, 'x', '€', 'GSM-7', 2],
    [70, 'ж', '', 'UCS-2', 1],
    [71, 'ж', '', 'UCS-2', 2],
    [35, '🎉', '', 'UCS-2', 1],
    [36, '🎉', '', 'UCS-2', 2],
  ] as const)('%i × %s%s: %s, %i', (count, letter, more, encoding, segments) => {
    expect(segmentsOf(letter.repeat(count) + more)).toEqual({ encoding, segments });
  });
});

describe('TRAP 96: the page of a hostile mail', () => {
  const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>';

  it('serves its HTML in a sandbox without scripts and external resources', async () => {
    await send({ subject: 'x', html: `<html><head></head><body>${hostile}</body></html>` });
    const answer = await get(`/email/${(await mails())[0]?.id}/html`);
    const policy = answer.headers.get('content-security-policy') as string;
    expect(policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/);
    expect(policy).not.toMatch(/script|allow-same-origin|http/);
    expect(await answer.text()).toContain('<head><base target="_blank">');
  });

  it('escapes its names, subject, text and headers', async () => {
    const name = `"><b>${hostile}`;
    await send({ subject: hostile, from: { ...from, name }, text: hostile, headers: { 'X-H': hostile } });
    const page = await (await get(`/?mail=${(await mails())[0]?.id}`)).text();
    expect(page).not.toMatch(/<b>|<img|<script>/);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('runs only the script of the inbox, and cannot be framed', async () => {
    const { headers } = await get('/');
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/,
    );
  });

  it('answers 421 to a foreign host name that resolves to the inbox (DNS rebinding)', async () => {
    const { hostname, port } = new URL(httpUrl);
    const asked = request({ hostname, port, path: '/email', headers: { host: 'evil.example' } }).end();
    const [answer] = (await once(asked, 'response')) as [{ statusCode: number; resume(): void }];
    answer.resume();
    expect(answer.statusCode).toBe(421);
  });
});

describe('The message store deletes the oldest', () => {
  const mail = (bytes: number) => Buffer.from(`Subject: s\r\n\r\n${'x'.repeat(bytes)}`);
  const envelope = { from: '', to: [] };

  it(`of more than ${MAILS_MAX} mails`, async () => {
    const store = new MessageStore();
    const first = await store.receive(mail(1), envelope);
    for (let i = 0; i < MAILS_MAX; i++) await store.receive(mail(1), envelope);
    expect(store.list()).toHaveLength(MAILS_MAX);
    expect(store.open(first.id)).toBeUndefined();
  });

  it(`of more than ${TEXTS_MAX} text messages`, () => {
    const store = new MessageStore();
    const sent = { from: '+14155550100', to: '+4915112345678', text: 'x' };
    const first = store.receiveText(sent);
    for (let i = 0; i < TEXTS_MAX; i++) store.receiveText(sent);
    expect(store.listTexts()).toHaveLength(TEXTS_MAX);
    expect(store.openText(first.id)).toBeUndefined();
  });

  it(`of more than ${STORED_BYTES_MAX} bytes`, async () => {
    const store = new MessageStore();
    for (let i = 0; i < 14; i++) await store.receive(mail(10_000_000), envelope);
    expect(store.list()).toHaveLength(Math.floor(STORED_BYTES_MAX / 10_000_014));
  });
});
