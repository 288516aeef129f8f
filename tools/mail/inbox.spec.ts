import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { mailPlan } from '../stack/servers/mail.mjs';
import { Inbox, MAILS_MAX, STORED_BYTES_MAX } from './mailbox.mjs';

const program = fileURLToPath(new URL('inbox.mjs', import.meta.url));

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
beforeEach(() => fetch(`${httpUrl}/email/all`, { method: 'DELETE' }));

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
  it('keeps what was sent in the shape of MailDev, the newest last', async () => {
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

  it('gives one, deletes one, deletes all, and answers 404 for what is not there', async () => {
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

  it('refuses a mail of more than 10 MiB and goes on', async () => {
    await expect(send({ text: 'x'.repeat(11 * 1024 * 1024) })).rejects.toMatchObject({ responseCode: 552 });
    await send({ subject: 'small' });
    expect(await mails()).toHaveLength(1);
  });

  it('shows a mail that is no MIME at all', async () => {
    await send({ raw: 'no headers\r\n\r\n=?bad?= \x00\xff', envelope: { from: 'a@b.test', to: 'c@d.test' } });
    expect(await mails()).toHaveLength(1);
  });

  it('says so in one line when a port is taken or an option is wrong', () => {
    const run = (...args: string[]) => {
      try {
        return execFileSync(process.execPath, [program, ...args], { encoding: 'utf8', stdio: 'pipe' });
      } catch (error) {
        return (error as { stderr: string }).stderr;
      }
    };
    const { port } = new URL(httpUrl);
    expect(run('--http-port', port)).toMatch(/^mail: .*EADDRINUSE.*\n$/);
    expect(run('--smtp-port', 'x')).toBe('mail: --smtp-port must be a number from 0 to 65535\n');
    expect(run('--bogus')).toMatch(/^mail: Unknown option '--bogus'.*\n$/);
  });

  it('is what the stack probes', async () => {
    const common = { smtpPort: 1, logPath: '/dev/null', childrenDir: '/nowhere' };
    const plan = mailPlan({ ...common, port: Number(new URL(httpUrl).port) });
    await expect(plan.probe()).resolves.toBeUndefined();
    await expect(mailPlan({ ...common, port: 1 }).probe()).rejects.toThrow();
  });
});

describe("TRAP 96: a stranger's mail cannot act in the inbox", () => {
  const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>';

  it('its HTML is served in a sandbox without scripts and without anything from elsewhere', async () => {
    await send({ subject: 'x', html: `<html><head></head><body>${hostile}</body></html>` });
    const answer = await get(`/email/${(await mails())[0]?.id}/html`);
    const policy = answer.headers.get('content-security-policy') as string;
    expect(policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/);
    expect(policy).not.toMatch(/script|allow-same-origin|http/);
    expect(await answer.text()).toContain('<head><base target="_blank">');
  });

  it('its names, subject, text and headers are text on the page', async () => {
    const name = `"><b>${hostile}`;
    await send({ subject: hostile, from: { ...from, name }, text: hostile, headers: { 'X-H': hostile } });
    const page = await (await get(`/?mail=${(await mails())[0]?.id}`)).text();
    expect(page).not.toMatch(/<b>|<img|<script>/);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('the page runs its own script only, and frames nothing but a mail', async () => {
    const { headers } = await get('/');
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/,
    );
  });

  it('a page of the internet that gives its name our address is not answered', async () => {
    const { hostname, port } = new URL(httpUrl);
    const asked = request({ hostname, port, path: '/email', headers: { host: 'evil.example' } }).end();
    const [answer] = (await once(asked, 'response')) as [{ statusCode: number; resume(): void }];
    answer.resume();
    expect(answer.statusCode).toBe(421);
  });
});

describe('The inbox forgets the oldest', () => {
  const mail = (bytes: number) => Buffer.from(`Subject: s\r\n\r\n${'x'.repeat(bytes)}`);
  const envelope = { from: '', to: [] };

  it(`of more than ${MAILS_MAX} mails`, async () => {
    const store = new Inbox();
    const first = await store.receive(mail(1), envelope);
    for (let i = 0; i < MAILS_MAX; i++) await store.receive(mail(1), envelope);
    expect(store.list()).toHaveLength(MAILS_MAX);
    expect(store.open(first.id)).toBeUndefined();
  });

  it(`of more than ${STORED_BYTES_MAX} bytes`, async () => {
    const store = new Inbox();
    for (let i = 0; i < 14; i++) await store.receive(mail(10_000_000), envelope);
    expect(store.list()).toHaveLength(Math.floor(STORED_BYTES_MAX / 10_000_014));
  });
});
