import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { removeUser, updateUser, type OwnerNotice } from '@vaultsvc/contracts/auth';
import type { RunningService } from '@vaultsvc/service';
import { accountContext, rowsOf, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { mintSession, newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import PostalMime from 'postal-mime';
import { notify } from '../service-definition.js';
import { startMailServer, type MailServer } from '../testing/mail-server.js';
import { ownerMail } from './owner-mail.js';

const signInUrl = 'https://app.example.com/signin';

describe('OPEN-59: the mail to an owner', () => {
  const notice: OwnerNotice = {
    email: 'ada@example.com',
    organization_name: 'Engines <b>',
    change: 'granted',
    person_email: 'ben@example.com',
    actor_email: 'charles@example.com',
  };

  it.each([
    ['invited', 'charles@example.com has invited ben@example.com to be an owner of Engines <b>.'],
    ['joined', 'ben@example.com has accepted an invitation and is an owner of Engines <b> now.'],
    ['granted', 'charles@example.com has made ben@example.com an owner of Engines <b>.'],
    ['revoked', 'ben@example.com is no owner of Engines <b> any more.'],
    ['removed', 'charles@example.com has removed the owner ben@example.com from Engines <b>.'],
    ['withdrawn', 'charles@example.com has withdrawn the invitation of ben@example.com to be an owner'],
  ] as const)('says who did what to whom: %s', (change, sentence) => {
    const { subject, text, html } = ownerMail({ ...notice, change }, signInUrl);
    expect(subject).toBe('The owners of Engines <b> on vaultsvc have changed');
    expect(text).toContain(sentence);
    expect(text).toContain(signInUrl);
    expect(html).toContain('Engines &lt;b&gt;');
    expect(html).not.toContain('<b>');
  });
});

describe('OPEN-59: notify', () => {
  let harness: Harness;
  let mail: MailServer;
  let authService: RunningService;
  let service: RunningService;

  beforeAll(async () => {
    mail = await startMailServer();
    harness = await startHarness({ LOG_LEVEL: 'silent' });
    authService = await harness.start(auth);
    service = await harness.start(notify, {
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      MAIL_FROM: 'no-reply@example.com',
      SIGN_IN_URL: signInUrl,
    });
  });
  afterAll(async () => {
    await harness.stop();
    await mail.stop();
  });

  const sentTo = async (accountId: string, count: number) => {
    await eventually(
      () => rowsOf(service, `SELECT 1 FROM messages WHERE account_id = $1 AND outcome = 'sent'`, [accountId]),
      (rows) => rows.length === count,
    );
    return mail.received;
  };

  it('mails every owner, of a grant the new one, of a removal the former one', async () => {
    const { accountId, userId, email } = await newAccount(authService);
    const { subject } = await mintSession(authService, { accountId, role: 'admin' });
    const [row] = await rowsOf(authService, `SELECT email FROM users WHERE id = $1`, [subject]);
    const person = row?.['email'] as string;
    const owner = accountContext({ kind: 'session', accountId, userId, role: 'owner' });
    const params = { user_id: subject };
    await harness.bus.call(updateUser, { params, body: { role: 'owner' } }, owner);
    await sentTo(accountId, 2);
    await harness.bus.call(removeUser, { params }, owner);
    const received = await sentTo(accountId, 4);
    const texts = await Promise.all(
      received
        .filter(({ to }) => to[0] === email || to[0] === person)
        .map(async ({ to, raw }) => [to[0], (await PostalMime.parse(raw)).text?.split('\n')[2]]),
    );
    expect(texts.slice(0, 2).sort()).toEqual(
      [email, person].sort().map((to) => [to, `${email} has made ${person} an owner of Test organization.`]),
    );
    expect(texts.slice(2).sort()).toEqual(
      [email, person]
        .sort()
        .map((to) => [to, `${email} has removed the owner ${person} from Test organization.`]),
    );
  });
});
