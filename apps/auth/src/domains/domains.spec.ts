import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import { DataKeys } from '@vaultsvc/crypto/data-keys';
import { Database } from '@vaultsvc/database';
import { outboxEvents } from '@vaultsvc/testing/harness';
import { mintApiKey } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';
import { DomainClaimLookup } from './domain-claim-lookup.js';
import { Claims, newDomain, sessionOf } from '../testing/claims.js';
import { ChallengeRecords } from './challenge-records.js';

let claims: Claims;
let admin: AccountContext;
let stranger: AccountContext;

beforeAll(async () => {
  claims = await Claims.start({
    API_ORIGIN: 'https://api.vaultsvc.example',
    LINK_ORIGIN: 'https://links.example:8443',
    FILES_ORIGIN: 'https://files.vaultsvc.example',
    FORGE_ORIGIN: 'https://xn--fo-gka.example',
  });
  [admin, stranger] = [await claims.newAdmin(), await claims.newAdmin()];
});
afterAll(() => claims.stop());

const accountIdOf = ({ credential }: AccountContext) => credential.accountId;
const namesOf = async (as: AccountContext) => (await claims.list(as)).domains.map(({ domain }) => domain);
const holderOf = (email: string) =>
  claims.service.context.get(DomainClaimLookup).accountOf(claims.service.context.get(Database), email);
const eventsOf = (domain: string) => outboxEvents(claims.service, { domain });
/** Refusals of the field `domain`, and what they say. */
const refusal = (says: string) =>
  expect.objectContaining({
    status: 400,
    code: 'VALIDATION_ERROR',
    details: { fields: [{ field: 'domain', message: expect.stringContaining(says) }] },
  });
const bothRefuse = async (domain: string, as: AccountContext, error: unknown) => {
  await expect(claims.challenge(domain, as)).rejects.toEqual(error);
  await expect(claims.claim(domain, as)).rejects.toEqual(error);
};

describe('DOM-04 AMB-17: who may claim and release', () => {
  it('an API key may not, a member may not; both may look at the list (DOM-01)', async () => {
    const domain = newDomain();
    const { context: key } = await mintApiKey(claims.service, { accountId: accountIdOf(admin) });
    const member = sessionOf(accountIdOf(admin), 'member');
    const cases = [
      [key, 'SESSION_REQUIRED'],
      [member, 'ROLE_REQUIRED'],
    ] as const;
    for (const [as, reason] of cases) {
      const refused = expect.objectContaining({ reason, status: 403 });
      await bothRefuse(domain, as, refused);
      await expect(claims.release(domain, as)).rejects.toEqual(refused);
      expect(await claims.list(as)).toEqual({ domains: [] });
    }
    expect(claims.dns.questions).toEqual([]);
  });

  it('an admin and an owner may', async () => {
    for (const role of ['admin', 'owner'] as const) {
      const as = sessionOf(accountIdOf(admin), role);
      const domain = newDomain();
      await claims.proveAndClaim(domain, as);
      expect(await claims.release(domain, as)).toEqual({ deleted: true, domain });
    }
  });
});

describe('POST /v1/domains/challenge', () => {
  it('DOM-02 DOM-05: answers the normal form and the record to publish', async () => {
    expect(await claims.challenge('EXAMPLE.Com.', admin)).toEqual({
      domain: 'example.com',
      txt_name: '_vaultsvc.example.com',
      txt_value: expect.stringMatching(/^vaultsvc-domain-verification=[\w-]{43}$/),
    });
  });

  it('DOM-06 OPEN-46: stores nothing and answers the same each time, by another copy of the service too', async () => {
    const domain = newDomain();
    const first = await claims.challenge(domain, admin);
    const copy = await claims.harness.start(auth);
    expect(await claims.challenge(domain.toUpperCase(), admin)).toEqual(first);
    expect(first).toMatchObject(await copy.context.get(ChallengeRecords).of(accountIdOf(admin), domain));
    await copy.stop();
    expect(await claims.list(admin)).toEqual({ domains: [] });
    expect(await eventsOf(domain)).toEqual([]);
  });

  it('OPEN-46: records that people have published stay good: the form of the token is fixed', async () => {
    const domain = newDomain();
    const fields = ['vk/v1/domain', accountIdOf(admin), domain].map((field) => Buffer.from(field));
    const hmac = await claims.service.context.get(DataKeys).byId('domain', 'permanent', (key) => {
      const made = createHmac('sha256', key);
      for (const field of fields) made.update(Buffer.from([0, 0, 0, field.length])).update(field);
      return made.digest('base64url');
    });
    const { txt_value } = await claims.challenge(domain, admin);
    expect(txt_value).toBe(`vaultsvc-domain-verification=${hmac}`);
  });

  it('OPEN-46: the token is of this account and this domain only', async () => {
    const [one, other] = [newDomain(), newDomain()];
    const made = [
      await claims.challenge(one, admin),
      await claims.challenge(other, admin),
      await claims.challenge(one, stranger),
    ];
    expect(new Set(made.map(({ txt_value }) => txt_value)).size).toBe(3);
  });
});

describe('DOM-08: what DNS cannot mend is refused at the challenge, and at the claim without a question to DNS', () => {
  it('no host name', async () => {
    for (const domain of ['127.0.0.1', 'localhost', 'https://example.com', ' example.com', 'a..b'])
      await bothRefuse(domain, admin, refusal('host name'));
  });

  it('DOM-07: a name of the platform, or one below it, in any spelling', async () => {
    for (const domain of [
      'api.vaultsvc.example',
      'LINKS.example.',
      'a.b.links.example',
      'files.vaultsvc.example',
      'foö.example',
      'x.foö.example',
    ])
      await bothRefuse(domain, admin, refusal('platform'));
    expect(await claims.challenge('notlinks.example', admin)).toMatchObject({ domain: 'notlinks.example' });
  });

  it('DOM-11: the domain of another organization, without a word about which', async () => {
    const domain = newDomain();
    await claims.proveAndClaim(domain, stranger);
    const questions = claims.dns.questions.length;
    await bothRefuse(domain, admin, refusal('another organization'));
    await bothRefuse(`${domain.toUpperCase()}.`, admin, refusal('another organization'));
    expect(claims.dns.questions).toHaveLength(questions);
    await expect(claims.claim(domain, admin)).rejects.not.toMatchObject({
      details: { fields: [{ message: expect.stringContaining(accountIdOf(stranger)) }] },
    });
  });

  it('OPEN-46: a domain of its own is 409', async () => {
    const as = await claims.newAdmin();
    const domain = newDomain();
    await claims.proveAndClaim(domain, as);
    await bothRefuse(domain, as, expect.objectContaining({ reason: 'DOMAIN_OWNED', status: 409 }));
  });

  it('DOM-10: the eleventh; a released one makes room', async () => {
    const as = await claims.newAdmin();
    const domains = Array.from({ length: 10 }, newDomain);
    for (const domain of domains) await claims.proveAndClaim(domain, as);
    await bothRefuse(newDomain(), as, refusal('10 domains'));
    await bothRefuse(domains[3] ?? '', as, expect.objectContaining({ reason: 'DOMAIN_OWNED' }));
    await claims.release(domains[3] ?? '', as);
    await claims.proveAndClaim(newDomain(), as);
    expect(await namesOf(as)).toHaveLength(10);
  });
});

describe('GET /v1/domains', () => {
  it('DOM-02 DOM-03: shows each with its record and one time, by name', async () => {
    const as = await claims.newAdmin();
    const domains = ['b', 'a', 'C', 'ü'].map((letter) => `${letter}.${newDomain()}`);
    for (const domain of domains) await claims.proveAndClaim(domain, as);
    const { domains: shown } = await claims.list(as);
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

  it("ENV-16: never shows another account's", async () => {
    await claims.proveAndClaim(newDomain(), stranger);
    expect(await claims.list(await claims.newAdmin())).toEqual({ domains: [] });
  });
});

describe('DELETE /v1/domains/{domain}', () => {
  it('DOM-12: releases in any spelling; then another may claim, and the old record is worth nothing to it', async () => {
    const domain = `mü.${newDomain()}`;
    const { domain: claimed } = await claims.proveAndClaim(domain, stranger);
    expect(await claims.release(`${domain.toUpperCase()}.`, stranger)).toEqual({
      deleted: true,
      domain: claimed.domain,
    });
    await expect(claims.claim(domain, admin)).rejects.toMatchObject({
      details: { expected: expect.any(String) },
    });
    await claims.proveAndClaim(domain, admin);
    expect(await namesOf(admin)).toContain(claimed.domain);
    await claims.release(domain, admin);
  });

  it('ENV-41 OPEN-46: answers foreign, unknown, released and impossible ones alike, and leaves the foreign one', async () => {
    const [foreign, released] = [newDomain(), newDomain()];
    await claims.proveAndClaim(foreign, stranger);
    await claims.proveAndClaim(released, admin);
    await claims.release(released, admin);
    const unknown = { reason: 'DOMAIN_NOT_FOUND', code: 'NOT_FOUND', details: undefined };
    for (const domain of [foreign, released, newDomain(), 'localhost', ' ', 'a..b', '[::1]'])
      await expect(claims.release(domain, admin)).rejects.toMatchObject(unknown);
    expect(await namesOf(stranger)).toContain(foreign);
  });

  it('twenty at once release once', async () => {
    const domain = newDomain();
    await claims.proveAndClaim(domain, admin);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => claims.release(domain, admin)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await eventsOf(domain)).toHaveLength(2);
  });
});

describe('The audit trail', () => {
  it('tells who claimed and released which domain; a refused call leaves nothing', async () => {
    const domain = newDomain();
    await claims.proveAndClaim(domain, admin);
    await expect(claims.claim(domain, stranger)).rejects.toMatchObject({ status: 400 });
    await expect(claims.release(domain, stranger)).rejects.toMatchObject({ status: 404 });
    await claims.release(domain, admin);
    const fact = {
      account_id: accountIdOf(admin),
      request_id: admin.requestId,
      payload: { account_id: accountIdOf(admin), domain, actor_id: admin.credential.userId },
    };
    expect(await eventsOf(domain)).toEqual([
      { name: 'auth.domain-claimed', ...fact },
      { name: 'auth.domain-released', ...fact },
    ]);
  });
});

describe('DOM-13 AUTH-12 OPEN-59: whose domain an address has', () => {
  it('in any spelling, until it is released; sub-domains are domains of their own', async () => {
    const domain = newDomain();
    expect(await holderOf(`ann@${domain}`)).toBeUndefined();
    await claims.proveAndClaim(domain, admin);
    for (const email of [`ann@${domain}`, `Bob@${domain.toUpperCase()}`, `ann@${domain}.`, `"a@b"@${domain}`])
      expect(await holderOf(email)).toBe(accountIdOf(admin));
    for (const email of [`ann@sub.${domain}`, `ann@x${domain}`, 'ann@example', 'ann@[192.0.2.1]', 'ann'])
      expect(await holderOf(email)).toBeUndefined();
    await claims.release(domain, admin);
    expect(await holderOf(`ann@${domain}`)).toBeUndefined();
  });

  it('in Unicode and in ASCII, whichever was claimed', async () => {
    const base = newDomain();
    const [unicode, ascii] = [`mü.${base}`, `xn--m-eha.${base}`];
    await claims.proveAndClaim(ascii, admin);
    await bothRefuse(unicode, stranger, refusal('another organization'));
    for (const domain of [unicode, ascii, `MÜ.${base}`])
      expect(await holderOf(`ann@${domain}`)).toBe(accountIdOf(admin));
  });
});
