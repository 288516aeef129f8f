import { afterEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@vaultsvc/config';
import PostalMime from 'postal-mime';
import { NotifyConfig } from '../config.js';
import { EmailFailure, SmtpEmail } from '../email/smtp-email.js';
import { smtpAnswer, startMailServer, type Behaviour } from '../testing/mail-server.js';
import { notificationTo } from '../testing/sample-notification.js';
import { EmailProvider, notificationMail } from './email-provider.js';

const opened: { stop(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.stop();
});

async function mailServer(behaviour?: Behaviour) {
  const server = await startMailServer(behaviour);
  const config = Object.assign(new NotifyConfig(), {
    PROFILE: 'local',
    SMTP_URL: new Secret(`smtp://127.0.0.1:${server.port}`),
    MAIL_FROM: 'Example <no-reply@example.com>',
  });
  const smtp = new SmtpEmail(config);
  opened.push(server, { stop: () => smtp.onApplicationShutdown() });
  return { received: server.received, provider: new EmailProvider(config, smtp) };
}

const query = `?token=${'x'.repeat(240)}`;
const oneClickUrl = `https://api.example.com/v1/unsubscribe${query}`;
const pageUrl = `https://api.example.com/unsubscribe${query}`;

describe('NTF-13 NTF-43: a notification by e-mail', () => {
  it('has the title as its subject, the link, and the id of the delivery in its Message-ID', async () => {
    const { provider, received } = await mailServer();
    const notification = notificationTo('ada@example.com');
    expect(await provider.send(notification)).toBeNull();
    const [{ raw, messageId, to }] = received as [(typeof received)[0]];
    expect({ messageId, to }).toEqual({
      messageId: `<${notification.deliveryId}@example.com>`,
      to: ['ada@example.com'],
    });
    const mail = await PostalMime.parse(raw);
    expect(mail.subject).toBe('Contract');
    for (const form of [mail.text, mail.html]) {
      expect(form).toContain('Engines');
      expect(form).toContain(notification.linkUrl);
    }
    expect(mail.headers.map(({ key }) => key)).not.toContain('list-unsubscribe');
  });

  it('NTF-41: can be unsubscribed from by one click', async () => {
    const { provider, received } = await mailServer();
    await provider.send(notificationTo('ada@example.com', { unsubscription: { oneClickUrl, pageUrl } }));
    const { headers, text, html } = await PostalMime.parse(received[0]?.raw ?? '');
    const named = Object.fromEntries(headers.map(({ key, value }) => [key, value]));
    expect(named).toMatchObject({
      'list-unsubscribe': `<${oneClickUrl}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'auto-submitted': 'auto-generated',
    });
    expect(text).toContain(`Unsubscribe: ${pageUrl}`);
    expect(html).toContain(`href="${pageUrl}"`);
  });

  it('fails finally for an address that the server rejects, and without settings is unconfigured', async () => {
    const { provider } = await mailServer({
      onRcptTo: () => {
        throw smtpAnswer(550, '5.1.1 no ada@example.com');
      },
    });
    const error = await provider.send(notificationTo('ada@example.com')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EmailFailure);
    expect(error).toMatchObject({ code: 'EENVELOPE 550 5.1.1', isFinal: true });
    const none = new EmailProvider(new NotifyConfig(), new SmtpEmail(new NotifyConfig()));
    expect(none.missingSettings()).toEqual(['SMTP_URL', 'MAIL_FROM', 'SIGN_IN_URL']);
  });
});

describe('TRAP 96 NTF-43: the texts of a notification', () => {
  const subjectOf = (changes: object) => notificationMail(notificationTo('ada@example.com', changes)).subject;

  it('name the sender in the subject of a mail without a title', () => {
    expect(subjectOf({ title: null })).toBe('Engines sent you a sealed message');
    expect(subjectOf({ title: ' \u202e ', organizationName: '' })).toBe('A sealed message was sent to you');
  });

  it('have one line, no links and no markup, whatever a person entered', () => {
    const title = 'Win\r\nBcc: b@example.com at https://evil.example <b>now</b>';
    const { subject, html } = notificationMail(notificationTo('ada@example.com', { title }));
    expect(subject).not.toMatch(/[\r\n]|:\/\/|evil\.example/);
    expect(html).not.toContain('<b>now');
  });
});

describe('TRAP 96: a name that is an encoded word (RFC 2047), which mail readers decode,', () => {
  const hostile = [
    '=?utf-8?Q?Pay_now=3A_https=3A//evil=2Eexample?=',
    '=?utf-8?B?4oCuUGF5IG5vdyBodHRwczovL2V2aWwuZXhhbXBsZQ==?=', // a right-to-left override and a link
    'Ärger =?us-ascii?Q?a=0D=0ABcc=3A_b@evil=2Eexample?=',
    '=\u00ad?utf-8?Q?https=3A//evil=2Eexample?=',
  ];
  const shown = async (raw = '') => (await PostalMime.parse(raw)).subject ?? '';

  it.each(hostile)('shows no link, bidi control or line break in the subject: %s', async (name) => {
    const { provider, received } = await mailServer();
    await provider.send(notificationTo('ada@example.com', { title: name }));
    await provider.send(notificationTo('ada@example.com', { title: null, organizationName: name }));
    await provider.sendInline(notificationTo('ada@example.com', { title: name }), {
      payload: 'x',
      contentType: 'text/plain',
    });
    expect(received).toHaveLength(3);
    for (const { raw } of received)
      expect(await shown(raw)).not.toMatch(/:\/\/|evil\.example|[\u202a-\u202e\u2066-\u2069\r\n]/);
  });

  it('is shown as it was typed, but for a space', async () => {
    const { provider, received } = await mailServer();
    await provider.send(notificationTo('ada@example.com', { title: hostile[0] ?? '' }));
    expect(await shown(received[0]?.raw)).toBe('= ?utf-8?Q?Pay_now=3A_https=3A//evil=2Eexample?=');
  });
});

it('NTF-43: e-mail is unconfigured until all settings of its queue are set', () => {
  const config = Object.assign(new NotifyConfig(), {
    SMTP_URL: new Secret('smtp://127.0.0.1:25'),
    MAIL_FROM: 'no-reply@example.com',
  });
  const smtp = new SmtpEmail(config);
  opened.push({ stop: () => smtp.onApplicationShutdown() });
  expect(new EmailProvider(config, smtp).missingSettings()).toEqual(['SIGN_IN_URL']);
});
