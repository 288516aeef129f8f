import { getServers } from 'node:dns';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import type { DomainChallenge } from '@vaultsvc/contracts/auth';
import type { TxtStrings } from '@vaultsvc/testing/dns';
import { AuthConfig } from '../config.js';
import { DomainClaimsFixture, newDomain } from '../testing/domain-claims-fixture.js';
import { resolverOf, TxtResolver } from './txt-resolver.js';

let fixture: DomainClaimsFixture;
let admin: AccountContext;
let challenge: DomainChallenge;

beforeAll(async () => {
  fixture = await DomainClaimsFixture.start();
});
beforeEach(async () => {
  fixture.dns.reset();
  admin = await fixture.newAdmin();
  challenge = await fixture.challenge(newDomain(), admin);
});
afterAll(() => fixture.stop());

const claim = () => fixture.claim(challenge.domain, admin);
const publish = (...records: readonly TxtStrings[]) => fixture.dns.setTxt(challenge.txt_name, ...records);
/** Expects 400 with the query, the expected value and a description of the result, and no claim. */
async function expectRefused(found: string) {
  await expect(claim()).rejects.toMatchObject({
    status: 400,
    code: 'VALIDATION_ERROR',
    details: {
      fields: [{ field: 'domain', message: expect.stringContaining('TXT record') }],
      looked_up: `TXT ${challenge.txt_name}`,
      expected: challenge.txt_value,
      found: expect.stringContaining(found),
    },
  });
  expect(await fixture.list(admin)).toEqual({ domains: [] });
}

describe('POST /v1/domains with the record in DNS', () => {
  it('DOM-02 DOM-03 DOM-06 DOM-09: verifies, stores and answers the domain', async () => {
    publish(challenge.txt_value);
    const { domain, message } = await claim();
    expect(domain).toEqual({
      ...challenge,
      verification_method: 'dns_txt',
      created_at: expect.any(Number),
      verified_at: domain.created_at,
    });
    expect(message).toContain('verified');
    expect(await fixture.list(admin)).toEqual({ domains: [domain] });
    const [question] = fixture.dns.questions;
    expect({ ...question, name: question?.name.toLowerCase() }).toEqual({
      over: 'udp',
      type: 'TXT',
      name: challenge.txt_name,
    });
  });

  it('DOM-05 DOM-09: accepts another spelling than that of the challenge', async () => {
    publish(challenge.txt_value);
    const { domain } = await fixture.claim(`${challenge.domain.toUpperCase()}.`, admin);
    expect(domain.domain).toBe(challenge.domain);
  });

  it('DOM-09: finds the record among others of the name', async () => {
    publish('v=spf1 -all', ['something', 'else'], challenge.txt_value, '');
    expect(await claim()).toMatchObject({ domain: { domain: challenge.domain } });
  });

  it('DOM-09: joins a record of several strings', async () => {
    publish([
      challenge.txt_value.slice(0, 20),
      challenge.txt_value.slice(20, 21),
      challenge.txt_value.slice(21),
    ]);
    expect(await claim()).toMatchObject({ domain: { domain: challenge.domain } });
  });

  it('DOM-09: follows CNAME records', async () => {
    fixture.dns.setAlias(challenge.txt_name, 'verify.hosting.example');
    fixture.dns.setAlias('verify.hosting.example', 'other.example');
    fixture.dns.setTxt('other.example', challenge.txt_value);
    expect(await claim()).toMatchObject({ domain: { domain: challenge.domain } });
  });

  it('DOM-09: queries over TCP when the answer over UDP is truncated', async () => {
    fixture.dns.mode = 'truncate';
    publish(...Array.from({ length: 30 }, (_, i) => `${i}`.padEnd(250, '.')), challenge.txt_value);
    expect(await claim()).toMatchObject({ domain: { domain: challenge.domain } });
    expect(fixture.dns.questions.map(({ over }) => over)).toContain('tcp');
  });
});

describe('DOM-09 OPEN-46: POST /v1/domains without the record in DNS', () => {
  it('answers 400 for a name that does not exist', () => expectRefused('no such name'));

  it('answers 400 for a name without TXT records', async () => {
    publish();
    await expectRefused('no TXT record');
  });

  it('answers 400 for a CNAME to a name that does not exist', async () => {
    fixture.dns.setAlias(challenge.txt_name, 'nowhere.example');
    await expectRefused('no such name');
  });

  it('answers 400 for one other value and for several', async () => {
    publish('v=spf1 -all');
    await expectRefused('One TXT record');
    publish('v=spf1 -all', 'another', challenge.txt_value.slice('vaultsvc-domain-verification='.length));
    await expectRefused('3 TXT records');
  });

  it('answers 400 for values that differ slightly', async () => {
    const { txt_value: value } = challenge;
    publish(` ${value}`, `${value} `, value.toUpperCase(), value.slice(0, -1), `${value}=`, `"${value}"`);
    await expectRefused('6 TXT records');
  });

  it('answers 400 for a record at the domain itself', async () => {
    fixture.dns.setTxt(challenge.domain, challenge.txt_value);
    await expectRefused('no such name');
  });

  it("answers 400 for another account's record", async () => {
    publish((await fixture.challenge(challenge.domain, await fixture.newAdmin())).txt_value);
    await expectRefused('another value');
  });

  it('never answers the values found, which anyone may have published', async () => {
    publish('<script>internal</script>');
    const error: unknown = await claim().catch((refusal: unknown) => refusal);
    expect(JSON.stringify(error)).not.toContain('internal');
  });

  it('answers 400 for SERVFAIL, as of a broken DNSSEC chain', async () => {
    fixture.dns.mode = 'servfail';
    await expectRefused('SERVFAIL');
  });

  it('answers 400 for REFUSED', async () => {
    fixture.dns.mode = 'refuse';
    await expectRefused('REFUSED');
  });

  it("answers 400 before the caller's deadline when no DNS server responds", async () => {
    fixture.dns.mode = 'silence';
    await expectRefused('in time');
  });
});

describe('DNS_RESOLVERS', () => {
  const lookupOf = (servers: readonly string[]) =>
    new TxtResolver(Object.assign(new AuthConfig(), { DNS_RESOLVERS: servers }));

  it('OPEN-46: falls back to the next server when one is unreachable', async () => {
    publish(challenge.txt_value);
    const lookup = lookupOf(['127.0.0.1:1', fixture.dns.address]);
    expect((await lookup.find(challenge.txt_name)).values).toEqual([challenge.txt_value]);
  });

  it('OPEN-46: gives an empty result, not an error, when no server is reachable', async () => {
    expect(await lookupOf(['127.0.0.1:1']).find(challenge.txt_name)).toEqual({
      values: [],
      isConclusive: false,
      found: expect.stringContaining('DNS servers'),
    });
  });

  it.each([50, 0, -1_000])(
    'OPEN-46: gives an empty result when no server responds within the %d ms that the caller has left',
    async (ms) => {
      fixture.dns.mode = 'silence';
      expect(await lookupOf([fixture.dns.address]).find(challenge.txt_name, ms)).toEqual({
        values: [],
        isConclusive: false,
        found: expect.stringContaining('in time'),
      });
    },
  );

  it('OPEN-46: defaults to the servers of the system', () => {
    expect(resolverOf([]).getServers()).toEqual(getServers());
    expect(resolverOf(['192.0.2.1', '[2001:db8::1]:5353']).getServers()).toEqual([
      '192.0.2.1',
      '[2001:db8::1]:5353',
    ]);
  });
});
