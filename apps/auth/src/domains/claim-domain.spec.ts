import { getServers } from 'node:dns';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import type { DomainChallenge } from '@vaultsvc/contracts/auth';
import type { TxtStrings } from '@vaultsvc/testing/dns';
import { AuthConfig } from '../config.js';
import { Claims, newDomain } from '../testing/claims.js';
import { resolverOf, TxtResolver } from './txt-resolver.js';

let claims: Claims;
let admin: AccountContext;
let challenge: DomainChallenge;

beforeAll(async () => {
  claims = await Claims.start();
});
beforeEach(async () => {
  claims.dns.reset();
  admin = await claims.newAdmin();
  challenge = await claims.challenge(newDomain(), admin);
});
afterAll(() => claims.stop());

const claim = () => claims.claim(challenge.domain, admin);
const publish = (...records: readonly TxtStrings[]) => claims.dns.setTxt(challenge.txt_name, ...records);
/** 400 that says what was asked, what was expected and what was found, and leaves no claim. */
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
  expect(await claims.list(admin)).toEqual({ domains: [] });
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
    expect(await claims.list(admin)).toEqual({ domains: [domain] });
    const [question] = claims.dns.questions;
    expect({ ...question, name: question?.name.toLowerCase() }).toEqual({
      over: 'udp',
      type: 'TXT',
      name: challenge.txt_name,
    });
  });

  it('DOM-05 DOM-09: in another spelling than the challenge', async () => {
    publish(challenge.txt_value);
    const { domain } = await claims.claim(`${challenge.domain.toUpperCase()}.`, admin);
    expect(domain.domain).toBe(challenge.domain);
  });

  it('DOM-09: among other records of the name', async () => {
    publish('v=spf1 -all', ['something', 'else'], challenge.txt_value, '');
    expect(await claim()).toMatchObject({ domain: { domain: challenge.domain } });
  });

  it('DOM-09: cut into several strings', async () => {
    publish([
      challenge.txt_value.slice(0, 20),
      challenge.txt_value.slice(20, 21),
      challenge.txt_value.slice(21),
    ]);
    expect(await claim()).toMatchObject({ domain: { domain: challenge.domain } });
  });

  it('DOM-09: behind aliases', async () => {
    claims.dns.setAlias(challenge.txt_name, 'verify.hosting.example');
    claims.dns.setAlias('verify.hosting.example', 'other.example');
    claims.dns.setTxt('other.example', challenge.txt_value);
    expect(await claim()).toMatchObject({ domain: { domain: challenge.domain } });
  });

  it('DOM-09: over TCP when the answer does not fit into a datagram', async () => {
    claims.dns.mode = 'truncate';
    publish(...Array.from({ length: 30 }, (_, i) => `${i}`.padEnd(250, '.')), challenge.txt_value);
    expect(await claim()).toMatchObject({ domain: { domain: challenge.domain } });
    expect(claims.dns.questions.map(({ over }) => over)).toContain('tcp');
  });
});

describe('DOM-09 OPEN-46: without the record the answer is 400, never 5xx', () => {
  it('no such name', () => expectRefused('no such name'));

  it('a name without TXT records', async () => {
    publish();
    await expectRefused('no TXT record');
  });

  it('an alias of nothing', async () => {
    claims.dns.setAlias(challenge.txt_name, 'nowhere.example');
    await expectRefused('no such name');
  });

  it('one other value, several other values', async () => {
    publish('v=spf1 -all');
    await expectRefused('One TXT record');
    publish('v=spf1 -all', 'another', challenge.txt_value.slice('vaultsvc-domain-verification='.length));
    await expectRefused('3 TXT records');
  });

  it('a value that is nearly right', async () => {
    const { txt_value: value } = challenge;
    publish(` ${value}`, `${value} `, value.toUpperCase(), value.slice(0, -1), `${value}=`, `"${value}"`);
    await expectRefused('6 TXT records');
  });

  it('the record at the domain itself', async () => {
    claims.dns.setTxt(challenge.domain, challenge.txt_value);
    await expectRefused('no such name');
  });

  it("another account's record", async () => {
    publish((await claims.challenge(challenge.domain, await claims.newAdmin())).txt_value);
    await expectRefused('another value');
  });

  it('never shows what it found: anybody may have written it', async () => {
    publish('<script>internal</script>');
    const error: unknown = await claim().catch((refusal: unknown) => refusal);
    expect(JSON.stringify(error)).not.toContain('internal');
  });

  it('SERVFAIL, as of a broken DNSSEC', async () => {
    claims.dns.mode = 'servfail';
    await expectRefused('SERVFAIL');
  });

  it('REFUSED', async () => {
    claims.dns.mode = 'refuse';
    await expectRefused('REFUSED');
  });

  it('silence: the answer comes before the caller gives up', async () => {
    claims.dns.mode = 'silence';
    await expectRefused('in time');
  });
});

describe('DNS_RESOLVERS', () => {
  const lookupOf = (servers: readonly string[]) =>
    new TxtResolver(Object.assign(new AuthConfig(), { DNS_RESOLVERS: servers }));

  it('OPEN-46: the next server is asked when one is away', async () => {
    publish(challenge.txt_value);
    const lookup = lookupOf(['127.0.0.1:1', claims.dns.address]);
    expect((await lookup.find(challenge.txt_name)).values).toEqual([challenge.txt_value]);
  });

  it('OPEN-46: no server at all is an answer, not an error', async () => {
    expect(await lookupOf(['127.0.0.1:1']).find(challenge.txt_name)).toEqual({
      values: [],
      found: expect.stringContaining('DNS servers'),
    });
  });

  it.each([50, 0, -1_000])(
    'OPEN-46: no answer within %d ms, where the caller has no more time',
    async (ms) => {
      claims.dns.mode = 'silence';
      expect(await lookupOf([claims.dns.address]).find(challenge.txt_name, ms)).toEqual({
        values: [],
        found: expect.stringContaining('in time'),
      });
    },
  );

  it('OPEN-46: none in the settings: those of the system are asked', () => {
    expect(resolverOf([]).getServers()).toEqual(getServers());
    expect(resolverOf(['192.0.2.1', '[2001:db8::1]:5353']).getServers()).toEqual([
      '192.0.2.1',
      '[2001:db8::1]:5353',
    ]);
  });
});
