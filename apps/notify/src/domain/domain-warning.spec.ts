import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { domainUnproven, type DomainWarning } from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import type { RunningService } from '@vaultsvc/service';
import { DnsServer } from '@vaultsvc/testing/dns';
import { publishFrom, rowsOf, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import PostalMime from 'postal-mime';
import { notify } from '../service-definition.js';
import { startMailServer, type MailServer } from '../testing/mail-server.js';
import { domainWarningMail } from './domain-warning-mail.js';

const signInUrl = 'https://app.example.com/signin';

describe('DOM-09: the mail that warns of a missing record', () => {
  const warning: DomainWarning = {
    email: 'ada@example.com',
    organization_name: 'Engines <b>',
    domain: 'example.com',
    txt_name: '_vaultsvc.example.com',
    txt_value: 'vaultsvc-domain-verification=abc',
    lapses_at: Date.parse('2026-12-05T21:30:00Z') / 1_000,
  };

  it('names domain, record, and the time and effect of the lapse', () => {
    const { subject, text, html } = domainWarningMail(warning, signInUrl);
    expect(subject).toBe('The DNS record of example.com is missing');
    for (const part of [
      'the name is _vaultsvc.example.com, and the value is vaultsvc-domain-verification=abc\n',
      'the claim lapses on 5 December 2026 at 21:30 UTC',
      'Users of Engines <b> keep their accounts.',
      signInUrl,
    ])
      expect(text).toContain(part);
    expect(html).toContain('Engines &lt;b&gt;');
    expect(html).not.toContain('<b>');
  });
});

describe('DOM-09: notify', () => {
  let harness: Harness;
  let dns: DnsServer;
  let mail: MailServer;
  let authService: RunningService;
  let service: RunningService;

  beforeAll(async () => {
    [dns, mail] = await Promise.all([DnsServer.start(), startMailServer()]);
    harness = await startHarness({ LOG_LEVEL: 'silent', DNS_RESOLVERS: dns.address });
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
    await dns.stop();
  });

  /** An account with a claimed domain, whose record was last found, or is missing since yesterday. */
  async function claimant(missingSince: string) {
    const { accountId, userId, email } = await newAccount(authService);
    const domain = `${newId('d_').slice(2).toLowerCase()}.example`;
    await rowsOf(
      authService,
      `INSERT INTO domains (domain, account_id, missing_since) VALUES ($1, $2, ${missingSince})`,
      [domain, accountId],
    );
    await publishFrom(authService, [domainUnproven, { account_id: accountId, user_id: userId, domain }]);
    return { email, domain, subject: `${userId}/${domain}` };
  }

  const outcomeOf = (subject: string) =>
    eventually(
      async () =>
        (await rowsOf(service, `SELECT outcome FROM messages WHERE subject_id = $1`, [subject]))[0]?.[
          'outcome'
        ],
      (outcome) => outcome !== undefined && outcome !== null,
    );

  it('mails the owner of a claim whose record is missing', async () => {
    const { email, domain, subject } = await claimant(`now() - interval '1 day'`);
    expect(await outcomeOf(subject)).toBe('sent');
    const [received, ...others] = mail.received.filter(({ to }) => to[0] === email);
    expect(others).toEqual([]);
    const { subject: headline, text } = await PostalMime.parse(received?.raw ?? '');
    expect(headline).toBe(`The DNS record of ${domain} is missing`);
    expect(text).toMatch(
      new RegExp(`_vaultsvc.${domain}, and the value is vaultsvc-domain-verification=\\S{43}\n`),
    );
  });

  it('sends no mail once the record was found', async () => {
    const { email, subject } = await claimant('NULL');
    expect(await outcomeOf(subject)).toBe('obsolete');
    expect(mail.received.filter(({ to }) => to[0] === email)).toEqual([]);
  });
});
