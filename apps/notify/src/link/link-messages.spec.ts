import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { rowsOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import PostalMime from 'postal-mime';
import { freePort } from '../../../../tools/stack/servers/ports.ts';
import { MessageWaker } from '../messages/message-waker.js';
import { notify } from '../service-definition.js';
import { startMailServer, type Behaviour, type MailServer } from '../testing/mail-server.js';
import { forgetMessage, linkMessage, owe, scriptedSparks } from '../testing/scripted-sparks.js';
import { smsSettings, startSmsServer, type Interference, type SmsServer } from '../testing/sms-server.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let sparks: RunningService;
let ports: { mail: number; sms: number };
let settings: Record<string, string>;
beforeAll(async () => {
  sparks = await harness.start(scriptedSparks);
  ports = { mail: await freePort(), sms: await freePort() };
  settings = {
    SMTP_URL: `smtp://127.0.0.1:${ports.mail}`,
    MAIL_FROM: 'Example <no-reply@example.com>',
    SIGN_IN_URL: 'https://app.example.com/signin',
    ...smsSettings(ports.sms),
  };
});

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function startMail(behaviour?: Behaviour): Promise<MailServer> {
  const server = await startMailServer(behaviour, undefined, ports.mail);
  stops.push(() => server.stop());
  return server;
}

async function startSms(interfere?: Interference): Promise<SmsServer> {
  const server = await startSmsServer(interfere, ports.sms);
  stops.push(() => server.stop());
  return server;
}

async function startNotify(given = settings): Promise<RunningService> {
  const service = await harness.start(notify, given);
  stops.unshift(() => service.stop());
  return service;
}

interface Row extends Record<string, unknown> {
  readonly attempts: number;
  readonly last_error: string | null;
  readonly outcome: string | null;
}

async function row(service: RunningService, id: string, holds: (row: Row) => boolean): Promise<Row> {
  const found = await eventually(
    async () => (await rowsOf<Row>(service, 'SELECT * FROM messages WHERE subject_id = $1', [id]))[0],
    (one) => one !== undefined && holds(one),
  );
  return found as Row;
}
const ended = (service: RunningService, id: string) => row(service, id, ({ outcome }) => outcome !== null);
const failed = (service: RunningService, id: string) =>
  row(service, id, ({ last_error }) => last_error !== null);

/** Lets time pass until it is tried again (OPEN-63). */
async function tryAgain(service: RunningService, id: string): Promise<void> {
  const change = 'next_attempt_at = now(), last_error = NULL';
  await rowsOf(service, `UPDATE messages SET ${change} WHERE subject_id = $1`, [id]);
  service.context.get(MessageWaker).wake();
}

describe('SPK-41 SHR-11 SHR-14 OPEN-25: a message that sparks requests', () => {
  it.each([
    ['Canary Engines has shared a secret with you', linkMessage()],
    ['Canary Engines has shared a file with you', linkMessage({ link_type: 'ingot', expires_at: null })],
    ['Canary Engines has sent you a file', linkMessage({ kind: 'delivery', link_type: 'ingot' })],
    ['493817 is your code to open a secret', linkMessage({ kind: 'code' })],
  ])('arrives as a mail: %s', async (subject, message) => {
    const server = await startMail();
    const service = await startNotify();
    const id = await owe(sparks, message);
    expect(await ended(service, id)).toMatchObject({ outcome: 'sent', attempts: 1, channel: 'email' });
    expect(server.received.map(({ to }) => to)).toEqual([[message.to]]);
    const mail = await PostalMime.parse(server.received[0]?.raw ?? '');
    expect(mail.subject).toBe(subject);
    expect(mail.text).toContain(message.link_url ?? message.code);
    expect(mail.html).toContain(message.link_url ?? message.code);
  });

  it.each([
    ['Canary Engines has shared a secret with you.', linkMessage({ channel: 'phone' })],
    [
      'Canary Engines has sent you a file.',
      linkMessage({ channel: 'phone', kind: 'delivery', link_type: 'ingot' }),
    ],
    ['493817 is your code to open a secret.', linkMessage({ channel: 'phone', kind: 'code' })],
  ])('arrives as a text message: %s', async (words, message) => {
    const server = await startSms();
    const service = await startNotify();
    const id = await owe(sparks, message);
    expect(await ended(service, id)).toMatchObject({ outcome: 'sent', attempts: 1, channel: 'phone' });
    expect(server.taken()).toEqual([
      expect.objectContaining({ to: message.to, text: expect.stringContaining(words), segments: 1 }),
    ]);
    expect(server.taken()[0]?.text).toContain(message.link_url ?? message.code);
  });

  it('arrives once with two instances of notify', async () => {
    const server = await startSms();
    const [service] = [await startNotify(), await startNotify()];
    const messages = Array.from({ length: 30 }, () => linkMessage({ channel: 'phone' }));
    const ids = await Promise.all(messages.map((message) => owe(sparks, message)));
    for (const id of ids) expect(await ended(service, id)).toMatchObject({ outcome: 'sent' });
    expect(
      server
        .taken()
        .map(({ to }) => to)
        .sort(),
    ).toEqual(messages.map(({ to }) => to).sort());
  });

  it('is not sent when it is obsolete', async () => {
    const waiting = await startNotify({});
    const [mailed, texted] = [
      await owe(sparks, linkMessage()),
      await owe(sparks, linkMessage({ channel: 'phone', kind: 'code' })),
    ];
    await row(waiting, texted, () => true);
    [mailed, texted].forEach(forgetMessage);
    const [mail, sms] = [await startMail(), await startSms()];
    const service = await startNotify();
    expect(await ended(service, mailed)).toMatchObject({ outcome: 'obsolete', attempts: 1 });
    expect(await ended(service, texted)).toMatchObject({ outcome: 'obsolete', attempts: 1 });
    expect([mail.received, sms.asked]).toEqual([[], []]);
  });
});

describe('OPEN-35: a text message that cannot be sent yet', () => {
  it('waits while SMS is not configured, and mails are sent', async () => {
    const { SMS_FROM, SMS_URL, ...mailOnly } = settings;
    const waiting = await startNotify(mailOnly);
    await startMail();
    const texted = await owe(sparks, linkMessage({ channel: 'phone' }));
    expect(await ended(waiting, await owe(sparks, linkMessage()))).toMatchObject({ outcome: 'sent' });
    expect(await row(waiting, texted, () => true)).toMatchObject({ attempts: 0, outcome: null });
    const sms = await startSms();
    const service = await startNotify({ ...mailOnly, SMS_FROM: SMS_FROM ?? '', SMS_URL: SMS_URL ?? '' });
    expect(await ended(service, texted)).toMatchObject({ outcome: 'sent', attempts: 1 });
    expect(sms.taken()).toHaveLength(1);
  });

  it('waits while the provider is down, and arrives when it is back', async () => {
    const service = await startNotify();
    const id = await owe(sparks, linkMessage({ channel: 'phone' }));
    expect(await failed(service, id)).toMatchObject({ last_error: 'ECONNREFUSED', lost_answers: 0 });
    const server = await startSms();
    const { outcome, attempts } = await ended(service, id);
    expect(outcome).toBe('sent');
    expect(attempts).toBeGreaterThan(1);
    expect(server.taken()).toHaveLength(1);
  });

  it('fails at once when the provider permanently rejects the number', async () => {
    const server = await startSms();
    const service = await startNotify();
    const id = await owe(sparks, linkMessage({ channel: 'phone', to: '+15005550004' }));
    expect(await ended(service, id)).toMatchObject({
      outcome: 'refused',
      attempts: 1,
      last_error: 'HTTP 400 21610',
    });
    expect(server.taken()).toEqual([]);
  });

  it('SHR-14: is sent three times at most when the replies are lost', async () => {
    const server = await startSms((response) => {
      response.destroy();
      return true;
    });
    const service = await startNotify();
    const id = await owe(sparks, linkMessage({ channel: 'phone' }));
    const tried = () => row(service, id, (one) => one.last_error !== null || one.outcome !== null);
    let last = await tried();
    for (; last.outcome === null; last = await tried()) {
      expect(last.last_error).toBe('ECONNRESET');
      await tryAgain(service, id);
    }
    expect(last).toMatchObject({ outcome: 'unconfirmed', attempts: 3 });
    expect(server.taken()).toHaveLength(3);
  });

  it('OPEN-25: with a code does not wait behind mails to a slow server', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const server: MailServer = await startMail({
      beforeConfirming: async ({ raw }) => {
        if (!raw.includes('493817')) await released;
      },
    });
    const service = await startNotify();
    const slow = await Promise.all(Array.from({ length: 8 }, () => owe(sparks, linkMessage())));
    await eventually(
      async () => server.received.length,
      (count) => count >= 4,
    );
    const code = await owe(sparks, linkMessage({ kind: 'code' }));
    expect(await ended(service, code)).toMatchObject({ outcome: 'sent' });
    release();
    for (const id of slow) expect(await ended(service, id)).toMatchObject({ outcome: 'sent' });
  });

  it('waits while sparks is down', async () => {
    const server = await startSms();
    const paused = await startNotify({});
    const id = await owe(sparks, linkMessage({ channel: 'phone' }));
    await row(paused, id, () => true);
    await sparks.stop();
    const service = await startNotify();
    expect(await failed(service, id)).toMatchObject({ outcome: null, last_error: 'INTERNAL_ERROR' });
    sparks = await harness.start(scriptedSparks);
    await tryAgain(service, id);
    expect(await ended(service, id)).toMatchObject({ outcome: 'sent' });
    expect(server.taken()).toHaveLength(1);
  });
});

describe('MISC-03 TRAP 96: addresses, numbers, links and codes', () => {
  it('are in no table of notify', async () => {
    const service = await startNotify();
    const [message, code] = [linkMessage({ channel: 'phone' }), linkMessage({ kind: 'code' })];
    const ids = [await owe(sparks, message), await owe(sparks, code)];
    for (const id of ids) await failed(service, id);
    await Promise.all([startMail(), startSms()]);
    for (const id of ids) await ended(service, id);
    const kept = JSON.stringify([
      await rowsOf(service, 'SELECT * FROM messages'),
      await rowsOf(service, 'SELECT * FROM processed'),
    ]);
    expect(kept).toContain(ids[0]);
    for (const canary of [message.to, message.link_url as string, code.to, '493817', 'Canary Engines'])
      expect(kept).not.toContain(canary);
  });
});
