import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import { DataKeys } from '@vaultsvc/crypto/data-keys';
import { Database } from '@vaultsvc/database';
import { outboxEvents } from '@vaultsvc/testing/harness';
import { mintApiKey } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';
import { DomainClaimLookup } from './domain-claim-lookup.js';
import { DomainClaimsFixture, newDomain, sessionContextOf } from '../testing/domain-claims-fixture.js';
import { ChallengeRecords } from './challenge-records.js';

let fixture: DomainClaimsFixture;
let admin: AccountContext;
let otherAdmin: AccountContext;

beforeAll(async () => {
  fixture = await DomainClaimsFixture.start({
    API_ORIGIN: 'https://api.vaultsvc.example',
    LINK_ORIGIN: 'https://links.example:8443',
    FILES_ORIGIN: 'https://files.vaultsvc.example',
    FORGE_ORIGIN: 'https://xn--fo-gka.example',
  });
  [admin, otherAdmin] = [await fixture.newAdmin(), await fixture.newAdmin()];
});
afterAll(() => fixture.stop());

const accountIdOf = ({ credential }: AccountContext) => credential.accountId;
const namesOf = async (as: AccountContext) => (await fixture.list(as)).domains.map(({ domain }) => domain);
const claimantOf = (email: string) =>
  fixture.service.context.get(DomainClaimLookup).accountOf(fixture.service.context.get(Database), email);
const eventsOf = (domain: string) => outboxEvents(fixture.service, { domain });
/** The validation error of the field `domain` with this message. */
const refusal = (message: string) =>
  expect.objectContaining({
    status: 400,
    code: 'VALIDATION_ERROR',
    details: { fields: [{ field: 'domain', message: expect.stringContaining(message) }] },
  });
const expectBothRefused = async (domain: string, as: AccountContext, error: unknown) => {
  await expect(fixture.challenge(domain, as)).rejects.toEqual(error);
  await expect(fixture.claim(domain, as)).rejects.toEqual(error);
};

describe('DOM-04 AMB-17: claiming and releasing a domain', () => {
  it('is refused to API keys and members, which may list domains (DOM-01)', async () => {
    const domain = newDomain();
    const { context: key } = await mintApiKey(fixture.service, { accountId: accountIdOf(admin) });
    const member = sessionContextOf(accountIdOf(admin), 'member');
    const cases = [
      [key, 'SESSION_REQUIRED'],
      [member, 'ROLE_REQUIRED'],
    ] as const;
    for (const [as, reason] of cases) {
      const refused = expect.objectContaining({ reason, status: 403 });
      await expectBothRefused(domain, as, refused);
      await expect(fixture.release(domain, as)).rejects.toEqual(refused);
      expect(await fixture.list(as)).toEqual({ domains: [] });
    }
    expect(fixture.dns.questions).toEqual([]);
  });

  it('is allowed to admins and owners', async () => {
    for (const role of ['admin', 'owner'] as const) {
      const as = sessionContextOf(accountIdOf(admin), role);
      const domain = newDomain();
      await fixture.proveAndClaim(domain, as);
      expect(await fixture.release(domain, as)).toEqual({ deleted: true, domain });
    }
  });
});

describe('POST /v1/domains/challenge', () => {
  it('DOM-02 DOM-05: answers the normalized domain and the record to publish', async () => {
    expect(await fixture.challenge('EXAMPLE.Com.', admin)).toEqual({
      domain: 'example.com',
      txt_name: '_vaultsvc.example.com',
      txt_value: expect.stringMatching(/^vaultsvc-domain-verification=[\w-]{43}$/),
    });
  });

  it('DOM-06 OPEN-46: stores nothing and answers the same on every call and every instance', async () => {
    const domain = newDomain();
    const first = await fixture.challenge(domain, admin);
    const secondInstance = await fixture.harness.start(auth);
    expect(await fixture.challenge(domain.toUpperCase(), admin)).toEqual(first);
    expect(first).toMatchObject(
      await secondInstance.context.get(ChallengeRecords).of(accountIdOf(admin), domain),
    );
    await secondInstance.stop();
    expect(await fixture.list(admin)).toEqual({ domains: [] });
    expect(await eventsOf(domain)).toEqual([]);
  });

  it('OPEN-46: keeps published records valid: the token is a fixed HMAC of account and domain', async () => {
    const domain = newDomain();
    const fields = ['vk/v1/domain', accountIdOf(admin), domain].map((field) => Buffer.from(field));
    const hmac = await fixture.service.context.get(DataKeys).byId('domain', 'permanent', (key) => {
      const made = createHmac('sha256', key);
      for (const field of fields) made.update(Buffer.from([0, 0, 0, field.length])).update(field);
      return made.digest('base64url');
    });
    const { txt_value } = await fixture.challenge(domain, admin);
    expect(txt_value).toBe(`vaultsvc-domain-verification=${hmac}`);
  });

  it('OPEN-46: answers a token for this account and this domain only', async () => {
    const [one, other] = [newDomain(), newDomain()];
    const made = [
      await fixture.challenge(one, admin),
      await fixture.challenge(other, admin),
      await fixture.challenge(one, otherAdmin),
    ];
    expect(new Set(made.map(({ txt_value }) => txt_value)).size).toBe(3);
  });
});

describe('DOM-08: challenge and claim', () => {
  it('reject a domain that is no host name', async () => {
    for (const domain of ['127.0.0.1', 'localhost', 'https://example.com', ' example.com', 'a..b'])
      await expectBothRefused(domain, admin, refusal('host name'));
  });

  it('DOM-07: reject a domain of the platform and its subdomains, in any spelling', async () => {
    for (const domain of [
      'api.vaultsvc.example',
      'LINKS.example.',
      'a.b.links.example',
      'files.vaultsvc.example',
      'foö.example',
      'x.foö.example',
    ])
      await expectBothRefused(domain, admin, refusal('platform'));
    expect(await fixture.challenge('notlinks.example', admin)).toMatchObject({ domain: 'notlinks.example' });
  });

  it('DOM-11: reject a domain of another organization without naming it and without a query to DNS', async () => {
    const domain = newDomain();
    await fixture.proveAndClaim(domain, otherAdmin);
    const questions = fixture.dns.questions.length;
    await expectBothRefused(domain, admin, refusal('another organization'));
    await expectBothRefused(`${domain.toUpperCase()}.`, admin, refusal('another organization'));
    expect(fixture.dns.questions).toHaveLength(questions);
    await expect(fixture.claim(domain, admin)).rejects.not.toMatchObject({
      details: { fields: [{ message: expect.stringContaining(accountIdOf(otherAdmin)) }] },
    });
  });

  it('OPEN-46: answer 409 for a domain that the account has already claimed', async () => {
    const as = await fixture.newAdmin();
    const domain = newDomain();
    await fixture.proveAndClaim(domain, as);
    await expectBothRefused(domain, as, expect.objectContaining({ reason: 'DOMAIN_OWNED', status: 409 }));
  });

  it('DOM-10: reject an eleventh domain until one is released', async () => {
    const as = await fixture.newAdmin();
    const domains = Array.from({ length: 10 }, newDomain);
    for (const domain of domains) await fixture.proveAndClaim(domain, as);
    await expectBothRefused(newDomain(), as, refusal('10 domains'));
    await expectBothRefused(domains[3] ?? '', as, expect.objectContaining({ reason: 'DOMAIN_OWNED' }));
    await fixture.release(domains[3] ?? '', as);
    await fixture.proveAndClaim(newDomain(), as);
    expect(await namesOf(as)).toHaveLength(10);
  });
});

describe('GET /v1/domains', () => {
  it('DOM-02 DOM-03: lists each domain with its record and time of verification, sorted by name', async () => {
    const as = await fixture.newAdmin();
    const domains = ['b', 'a', 'C', 'ü'].map((letter) => `${letter}.${newDomain()}`);
    for (const domain of domains) await fixture.proveAndClaim(domain, as);
    const { domains: shown } = await fixture.list(as);
    expect(shown.map(({ domain }) => domain[0])).toEqual(['a', 'b', 'c', 'x']);
    for (const { domain, created_at, ...rest } of shown) {
      expect(rest).toEqual({
        verification_method: 'dns_txt',
        txt_name: `_vaultsvc.${domain}`,
        txt_value: expect.stringMatching(/^vaultsvc-domain-verification=[\w-]{43}$/),
        verified_at: created_at,
      });
    }
  });

  it("ENV-16: never lists another account's domains", async () => {
    await fixture.proveAndClaim(newDomain(), otherAdmin);
    expect(await fixture.list(await fixture.newAdmin())).toEqual({ domains: [] });
  });
});

describe('DELETE /v1/domains/{domain}', () => {
  it('DOM-12: releases a domain in any spelling, which another account can claim with its own record only', async () => {
    const domain = `mü.${newDomain()}`;
    const { domain: claimed } = await fixture.proveAndClaim(domain, otherAdmin);
    expect(await fixture.release(`${domain.toUpperCase()}.`, otherAdmin)).toEqual({
      deleted: true,
      domain: claimed.domain,
    });
    await expect(fixture.claim(domain, admin)).rejects.toMatchObject({
      details: { expected: expect.any(String) },
    });
    await fixture.proveAndClaim(domain, admin);
    expect(await namesOf(admin)).toContain(claimed.domain);
    await fixture.release(domain, admin);
  });

  it('ENV-41 OPEN-46: answers 404 alike for foreign, unknown, released and invalid domains, and keeps the foreign claim', async () => {
    const [foreign, released] = [newDomain(), newDomain()];
    await fixture.proveAndClaim(foreign, otherAdmin);
    await fixture.proveAndClaim(released, admin);
    await fixture.release(released, admin);
    const unknown = { reason: 'DOMAIN_NOT_FOUND', code: 'NOT_FOUND', details: undefined };
    for (const domain of [foreign, released, newDomain(), 'localhost', ' ', 'a..b', '[::1]'])
      await expect(fixture.release(domain, admin)).rejects.toMatchObject(unknown);
    expect(await namesOf(otherAdmin)).toContain(foreign);
  });

  it('releases once when twenty calls run concurrently', async () => {
    const domain = newDomain();
    await fixture.proveAndClaim(domain, admin);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => fixture.release(domain, admin)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await eventsOf(domain)).toHaveLength(2);
  });
});

describe('the audit trail of domains', () => {
  it('records one event per claim and release with its actor, and none for a refused call', async () => {
    const domain = newDomain();
    await fixture.proveAndClaim(domain, admin);
    await expect(fixture.claim(domain, otherAdmin)).rejects.toMatchObject({ status: 400 });
    await expect(fixture.release(domain, otherAdmin)).rejects.toMatchObject({ status: 404 });
    await fixture.release(domain, admin);
    const commonFields = {
      account_id: accountIdOf(admin),
      request_id: admin.requestId,
      payload: { account_id: accountIdOf(admin), domain, actor_id: admin.credential.userId },
    };
    expect(await eventsOf(domain)).toEqual([
      { name: 'auth.domain-claimed', ...commonFields },
      { name: 'auth.domain-released', ...commonFields },
    ]);
  });
});

describe('DOM-13 AUTH-12 OPEN-59: the account that claims the domain of an address', () => {
  it('is found in any spelling until the release, and not for subdomains', async () => {
    const domain = newDomain();
    expect(await claimantOf(`ann@${domain}`)).toBeUndefined();
    await fixture.proveAndClaim(domain, admin);
    for (const email of [`ann@${domain}`, `Bob@${domain.toUpperCase()}`, `ann@${domain}.`, `"a@b"@${domain}`])
      expect(await claimantOf(email)).toBe(accountIdOf(admin));
    for (const email of [`ann@sub.${domain}`, `ann@x${domain}`, 'ann@example', 'ann@[192.0.2.1]', 'ann'])
      expect(await claimantOf(email)).toBeUndefined();
    await fixture.release(domain, admin);
    expect(await claimantOf(`ann@${domain}`)).toBeUndefined();
  });

  it('is found in Unicode and in ASCII, whichever form was claimed', async () => {
    const base = newDomain();
    const [unicode, ascii] = [`mü.${base}`, `xn--m-eha.${base}`];
    await fixture.proveAndClaim(ascii, admin);
    await expectBothRefused(unicode, otherAdmin, refusal('another organization'));
    for (const domain of [unicode, ascii, `MÜ.${base}`])
      expect(await claimantOf(`ann@${domain}`)).toBe(accountIdOf(admin));
  });
});
