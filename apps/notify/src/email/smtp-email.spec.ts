import { afterEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@vaultsvc/config';
import PostalMime from 'postal-mime';
import type { SMTPServerOptions } from 'smtp-server';
import { NotifyConfig } from '../config.js';
import { smtpAnswer, startMailServer, type Behaviour, type MailServer } from '../testing/mail-server.js';
import { EmailFailure, SmtpEmail } from './smtp-email.js';

const id = '0198c0de-0000-7000-8000-000000000001';
const mail = { id, to: 'ada@example.com', subject: 'Subject', text: 'Text', html: '<p>Html</p>' };

const opened: { stop(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.stop();
});

async function server(behaviour?: Behaviour, options?: SMTPServerOptions): Promise<MailServer> {
  const started = await startMailServer(behaviour, options);
  opened.push(started);
  return started;
}

function channel(url: string, settings: Partial<NotifyConfig> = {}): SmtpEmail {
  const config = Object.assign(new NotifyConfig(), {
    PROFILE: 'local',
    SMTP_URL: new Secret(url),
    MAIL_FROM: 'Example <no-reply@bücher.example>',
    ...settings,
  });
  const email = new SmtpEmail(config);
  opened.push({ stop: () => email.onApplicationShutdown() });
  return email;
}

async function failure(sending: Promise<void>): Promise<EmailFailure> {
  const error = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EmailFailure);
  return error as EmailFailure;
}

describe('OPEN-35: a mail over SMTP', () => {
  it('has text and HTML, a Message-ID of our domain, and a header that marks it as automatic', async () => {
    const { port, received } = await server();
    await channel(`smtp://127.0.0.1:${port}`).send(mail);
    expect(received).toHaveLength(1);
    const [one] = received;
    expect(one).toMatchObject({
      to: ['ada@example.com'],
      messageId: `<${id}@xn--bcher-kva.example>`,
    });
    const parsed = await PostalMime.parse(one?.raw ?? '');
    expect(parsed).toMatchObject({
      from: { name: 'Example', address: 'no-reply@xn--bcher-kva.example' },
      to: [{ name: '', address: 'ada@example.com' }],
      subject: 'Subject',
      text: 'Text\n',
      html: '<p>Html</p>\n',
    });
    expect(parsed.headers.map(({ key }) => key).sort()).toEqual([
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ]);
  });
});

describe('TRAP 96: a mail to a server without TLS', () => {
  it('is not sent outside the local profile', async () => {
    const { port, received } = await server();
    const email = channel(`smtp://127.0.0.1:${port}`, { PROFILE: 'production' });
    expect(await failure(email.send(mail))).toMatchObject({
      code: expect.stringMatching(/^ETLS/),
      isFinal: false,
    });
    expect(received).toHaveLength(0);
  });

  it('is not sent to a host that is not loopback, in any profile', async () => {
    const { port, received } = await server();
    const email = channel(`smtp://localhost.localdomain.invalid:${port}`);
    expect(await failure(email.send(mail))).toMatchObject({ isFinal: false });
    expect(received).toHaveLength(0);
  });

  it.each([
    ['after STARTTLS', 'smtp', false],
    ['from the start', 'smtps', true],
  ])(
    'is not sent over TLS with an untrusted certificate, and the login is not disclosed: TLS %s',
    async (_, scheme, secure) => {
      const logins: string[] = [];
      const seeLogin: typeof onAuth = ({ username = '' }, _session, done) => {
        logins.push(username);
        done(null, { user: username });
      };
      const { port, received } = await server({}, { secure, onAuth: seeLogin });
      const email = channel(`${scheme}://user:p%40ss%2F@127.0.0.1:${port}`, { PROFILE: 'production' });
      expect(await failure(email.send(mail))).toMatchObject({
        code: expect.stringMatching(/^(ETLS|ESOCKET) (DEPTH_ZERO_SELF_SIGNED_CERT|CERT_HAS_EXPIRED)/),
        isFinal: false,
      });
      expect([received, logins]).toEqual([[], []]);
    },
  );
});

describe('OPEN-35: a failure to send a mail', () => {
  it.each([
    ['550 5.1.1 unknown recipient', 550, '5.1.1 <ada@example.com>: who?', true, 'EENVELOPE 550 5.1.1'],
    ['450 greylisted', 450, '4.2.0 <ada@example.com>: later', false, 'EENVELOPE 450 4.2.0'],
  ])(
    'is permanent or not by the reply of the server: %s',
    async (_, responseCode, message, isFinal, code) => {
      const { port } = await server({
        onRcptTo: () => {
          throw smtpAnswer(responseCode, message);
        },
      });
      const error = await failure(channel(`smtp://127.0.0.1:${port}`).send(mail));
      expect(error).toMatchObject({ isFinal, code });
      expect(JSON.stringify([error.message, error.stack, error])).not.toContain('ada@');
    },
  );

  it.each([
    [554, true],
    [451, false],
  ])('with reply %i after the message is permanent: %s', async (responseCode, isFinal) => {
    const { port } = await server({
      beforeConfirming: async () => {
        throw smtpAnswer(responseCode, 'no');
      },
    });
    expect(await failure(channel(`smtp://127.0.0.1:${port}`).send(mail))).toMatchObject({ isFinal });
  });

  it('is not permanent when the server rejects our login', async () => {
    const { port } = await server(
      {},
      { disabledCommands: ['STARTTLS'], allowInsecureAuth: true, authOptional: false, onAuth },
    );
    expect(await failure(channel(`smtp://user:wrong@127.0.0.1:${port}`).send(mail))).toMatchObject({
      code: expect.stringContaining('EAUTH'),
      isFinal: false,
    });
  });

  it('is not permanent when the server rejects our sender', async () => {
    const refuseSender: SMTPServerOptions['onMailFrom'] = (_, __, done) => done(smtpAnswer(550, 'not you'));
    const { port } = await server({}, { disabledCommands: ['STARTTLS', 'AUTH'], onMailFrom: refuseSender });
    expect(await failure(channel(`smtp://127.0.0.1:${port}`).send(mail))).toMatchObject({ isFinal: false });
  });

  it('is not permanent when the server is not listening', async () => {
    const { port, stop } = await startMailServer();
    await stop();
    expect(await failure(channel(`smtp://127.0.0.1:${port}`).send(mail))).toMatchObject({
      code: 'ESOCKET ECONNREFUSED',
      isFinal: false,
    });
  });

  it('is not retried by nodemailer when the connection breaks before the confirmation', async () => {
    const breaking: MailServer = await server({
      beforeConfirming: async () => {
        void breaking.stop();
        await new Promise(() => {});
      },
    });
    expect(await failure(channel(`smtp://127.0.0.1:${breaking.port}`).send(mail))).toMatchObject({
      isFinal: false,
    });
    expect(breaking.received).toHaveLength(1);
  });
});

describe('OPEN-35: hostile content of a mail', () => {
  it('adds no header by a line break in the subject', async () => {
    const { port, received } = await server();
    await channel(`smtp://127.0.0.1:${port}`).send({
      ...mail,
      subject: 'a\r\nBcc: eve@example.com\r\n\r\nb',
    });
    const parsed = await PostalMime.parse(received[0]?.raw ?? '');
    expect(received[0]?.to).toEqual(['ada@example.com']);
    expect(parsed.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(parsed.text).toBe('Text\n');
  });

  it.each([
    'a@b.test\r\nRCPT TO:<eve@example.com>',
    'a@b.test, eve@example.com',
    '<eve@example.com>',
    'eve,ada@example.com',
    'eve;ada@example.com',
    'eve:ada@example.com',
    'eve(x)@example.com',
    'x,<eve@example.com',
    '"a>,<eve"@example.com',
    'ada@example.com,eve.com',
    '',
    'a',
  ])('is not sent to an invalid address: %j', async (to) => {
    const { port, received } = await server();
    expect(await failure(channel(`smtp://127.0.0.1:${port}`).send({ ...mail, to }))).toEqual(
      new EmailFailure('ADDRESS_INVALID', true),
    );
    expect(received).toHaveLength(0);
  });

  it('arrives unchanged when the text has lines of dots and no final line break', async () => {
    const { port, received } = await server();
    const text = `.\r\n..\r\nQUIT\r\n${'x'.repeat(2_000)}`;
    await channel(`smtp://127.0.0.1:${port}`).send({ ...mail, text });
    const parsed = await PostalMime.parse(received[0]?.raw ?? '');
    expect(parsed.text).toBe(`${text.replaceAll('\r\n', '\n')}\n`);
  });
});

const onAuth: NonNullable<SMTPServerOptions['onAuth']> = ({ username, password }, _, done) => {
  if (username === 'user' && password === 'p@ss/') done(null, { user: username });
  else done(new Error('5.7.8 wrong'));
};
