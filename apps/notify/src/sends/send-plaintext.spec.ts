import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountContext } from '@vaultsvc/contracts';
import {
  NewPlaintextSend,
  NewSend,
  NotifyConfiguration,
  PlaintextContent,
  putConfig,
  sealedCategories,
  sendPlaintext,
  unsubscribe,
  type SendReport,
} from '@vaultsvc/contracts/notify';
import { formsOf, heldOnDisk } from '@vaultsvc/testing/servers';
import { internalContext, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import PostalMime from 'postal-mime';
import { startMailServer, type MailServer } from '../testing/mail-server.js';
import { startSendPlatform, type SendPlatform } from '../testing/send-platform.js';
import { PurgeSends } from './purge-sends.job.js';

let mails: MailServer;
let platform: SendPlatform;
let caller: AccountContext;
beforeAll(async () => {
  mails = await startMailServer();
  platform = await startSendPlatform({
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    MAIL_FROM: 'no-reply@example.com',
    SIGN_IN_URL: 'http://127.0.0.1:8084/signin',
  });
  caller = await platform.newCaller();
});
afterAll(async () => {
  await platform.harness.stop();
  await mails.stop();
});

const newContent = (changes: Partial<PlaintextContent> = {}) =>
  Object.assign(new PlaintextContent(), { payload: 'Maintenance on Monday.', ...changes });

function send(changes: Partial<NewPlaintextSend> = {}, { credential } = caller) {
  const body = Object.assign(new NewPlaintextSend(), {
    account_id: credential.accountId,
    recipients: ['ada@example.com'],
    content: newContent(),
    title: 'Maintenance',
    ...changes,
  });
  return platform.harness.bus.call(sendPlaintext, { body }, internalContext());
}

const delivered = (sendId: string): Promise<SendReport> =>
  eventually(
    () => platform.report(sendId, caller),
    ({ status }) => status === 'delivered',
  );

const mailTo = async (address: string) => {
  const { raw } = mails.received.find(({ to }) => to.includes(address)) as MailServer['received'][0];
  return PostalMime.parse(raw);
};

describe('NTF-24 NTF-26: a plaintext send', () => {
  it('is a mail with the content itself, an unsubscribe link, and no other link', async () => {
    const { send_id } = await send({ recipients: ['text@example.com', 'text2@example.com'] });
    const report = await delivered(send_id);
    expect(report.recipient_states).toMatchObject([
      { grant: null, link_url: null, deliveries: [{ channel: 'email', state: 'sent' }] },
      { grant: null, link_url: null },
    ]);
    const { subject, text, html, headers } = await mailTo('text@example.com');
    expect(subject).toBe('Maintenance');
    expect(text).toMatch(/^Maintenance on Monday\.\n\n-- \nUnsubscribe: http:\S+\n$/);
    expect(html).toBeUndefined();
    expect(headers.map(({ key }) => key)).toContain('list-unsubscribe-post');
  });

  it('may be a document of HTML, which stays as it is', async () => {
    const payload = '<!doctype html><html><body><h1>Maintenance</h1></body></html>';
    const { send_id } = await send({
      recipients: ['html@example.com'],
      content: newContent({ payload, content_type: 'text/html; charset=utf-8' }),
    });
    await delivered(send_id);
    const { html, text } = await mailTo('html@example.com');
    expect(html).toContain('<body><h1>Maintenance</h1><p><a href="http://');
    expect(html).toMatch(/Unsubscribe<\/a><\/p><\/body><\/html>\s*$/);
    expect(text).toBeUndefined();
  });

  it('NTF-21: is accepted once for its send_id, however many calls race for it', async () => {
    const send_id = `plain-${randomUUID()}`;
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => send({ send_id, recipients: ['once@example.com'] })),
    );
    expect(answers.filter(({ idempotent }) => !idempotent)).toHaveLength(1);
    await delivered(send_id);
    expect(mails.received.filter(({ to }) => to.includes('once@example.com'))).toHaveLength(1);
    expect(await send({ send_id, recipients: ['a@example.com', 'b@example.com'] })).toEqual({
      send_id,
      recipients: 1,
      status: 'pending',
      idempotent: true,
    });
  });

  it('NTF-41: is not sent to a recipient who has unsubscribed', async () => {
    await delivered((await send({ recipients: ['off@example.com'] })).send_id);
    const { text = '' } = await mailTo('off@example.com');
    const token = new URL(/http:\S+/.exec(text)?.[0] ?? '').searchParams.get('token') as string;
    await platform.harness.bus.call(unsubscribe, { query: { token } }, internalContext());
    const { send_id } = await send({ recipients: ['off@example.com'] });
    await eventually(
      () => platform.report(send_id, caller),
      ({ recipient_states }) => recipient_states[0]?.deliveries[0]?.state === 'skipped',
    );
  });

  it.each<[string, Partial<NewPlaintextSend>]>([
    ['another channel', { channels: ['sms'] }],
    ['51 recipients', { recipients: Array.from({ length: 51 }, (_, index) => `r${index}@example.com`) }],
    ['8 days', { history_ttl_days: 8 }],
    ['another type', { content: newContent({ content_type: 'application/pdf' }) }],
    ...sealedCategories.map((category): [string, Partial<NewPlaintextSend>] => [category, { category }]),
  ])('NTF-25: is refused with %s', async (_, changes) => {
    expect(await reasonOf(send(changes))).toBe('VALIDATION_ERROR');
  });

  it('NTF-25: is refused in a category that the account always seals', async () => {
    const own = await platform.newCaller();
    const body = Object.assign(new NotifyConfiguration(), {
      security: { mandatory_seal_categories: ['payroll'] },
    });
    await platform.harness.bus.call(putConfig, { body }, own);
    expect(await reasonOf(send({ category: 'payroll' }, own))).toBe('VALIDATION_ERROR');
    expect(await send({ category: 'payroll' })).toMatchObject({ idempotent: false });
  });

  it('NTF-23: is sealed wherever it is stored, and deleted with its history', async () => {
    const payload = `canary-${randomBytes(12).toString('hex')}`;
    const { send_id } = await send({ recipients: ['canary@example.com'], content: newContent({ payload }) });
    await delivered(send_id);
    expect((await mailTo('canary@example.com')).text).toContain(payload);
    expect(await heldOnDisk(formsOf(payload))).toEqual([]);
    await stopSchedule(platform.notify);
    await platform.sql(`UPDATE sends SET purge_at = now() WHERE send_id = $1`, [send_id]);
    await platform.notify.context.get(PurgeSends).run();
    const stored = `SELECT 1 FROM plaintext_contents c JOIN sends s ON s.id = c.send WHERE s.send_id = $1`;
    expect(await platform.sql(stored, [send_id])).toEqual([]);
    expect(await reasonOf(platform.report(send_id, caller))).toBe('SEND_NOT_FOUND');
  });
});

describe('NTF-24: a send of the API', () => {
  it('is sealed whatever else its body names', async () => {
    const wishes = { mode: 'plaintext', plaintext: true, sealed: false, delivery_mode: 'plaintext' };
    const { send_id } = await platform.send(
      Object.assign(new NewSend(), wishes, { channels: ['email'], recipients: ['sealed@example.com'] }),
      caller,
    );
    await delivered(send_id);
    const { text } = await mailTo('sealed@example.com');
    expect(text).not.toContain('for you.'); // the content
    expect(text).toContain('Open the message: http://');
  });
});
