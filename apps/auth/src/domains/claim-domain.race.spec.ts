import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError, type AccountContext } from '@vaultsvc/contracts';
import { outboxEvents } from '@vaultsvc/testing/harness';
import { DomainClaimsFixture, newDomain } from '../testing/domain-claims-fixture.js';

let fixture: DomainClaimsFixture;

beforeAll(async () => {
  fixture = await DomainClaimsFixture.start();
});
afterAll(() => fixture.stop());

const CONCURRENCY = 20;
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

interface Outcome {
  readonly succeeded: number;
  /** The distinct messages of the refused calls. */
  readonly refusals: readonly string[];
}

async function outcomeOf(calls: readonly Promise<unknown>[]): Promise<Outcome> {
  const settled = await Promise.allSettled(calls);
  const refusals = settled.flatMap((call) => (call.status === 'rejected' ? [messageOf(call.reason)] : []));
  return { succeeded: CONCURRENCY - refusals.length, refusals: [...new Set(refusals)] };
}

function messageOf(error: unknown): string {
  if (!(error instanceof AppError)) throw error;
  const [field] = (error.details?.fields ?? []) as readonly { message: string }[];
  return `${error.reason}: ${field?.message ?? ''}`;
}

async function eventsOf(domain: string): Promise<number> {
  return (await outboxEvents(fixture.service, { domain })).length;
}

async function claimNineDomains(as: AccountContext): Promise<void> {
  for (const domain of times(9, newDomain)) await fixture.proveAndClaim(domain, as);
}

describe('POST /v1/domains, called concurrently', () => {
  it('DOM-10: lets an account with nine domains claim one of twenty more', async () => {
    for (let round = 0; round < 3; round++) {
      const as = await fixture.newAdmin();
      await claimNineDomains(as);
      const domains = times(CONCURRENCY, newDomain);
      for (const domain of domains) await fixture.publish(domain, as);
      expect(await outcomeOf(domains.map((domain) => fixture.claim(domain, as)))).toEqual({
        succeeded: 1,
        refusals: [expect.stringMatching(/^VALIDATION_ERROR: .*10 domains/)],
      });
      expect((await fixture.list(as)).domains).toHaveLength(10);
    }
  });

  it('DOM-11: lets one of twenty accounts claim a domain, and records one event', async () => {
    const admins = await Promise.all(times(CONCURRENCY, () => fixture.newAdmin()));
    for (let round = 0; round < 5; round++) {
      const domain = newDomain();
      const records = await Promise.all(admins.map((as) => fixture.challenge(domain, as)));
      fixture.dns.setTxt(`_vaultsvc.${domain}`, ...records.map(({ txt_value }) => txt_value));
      expect(await outcomeOf(admins.map((as) => fixture.claim(domain, as)))).toEqual({
        succeeded: 1,
        refusals: [expect.stringMatching(/^VALIDATION_ERROR: .*another organization/)],
      });
      expect(await eventsOf(domain)).toBe(1);
      const lists = await Promise.all(admins.map((as) => fixture.list(as)));
      const claimants = lists.filter(({ domains }) => domains.some((claimed) => claimed.domain === domain));
      expect(claimants).toHaveLength(1);
      const winner = admins[lists.indexOf(claimants[0] as (typeof lists)[number])];
      await fixture.release(domain, winner as AccountContext);
    }
  });

  it('OPEN-46: lets an account claim a domain once, and answers the other calls with DOMAIN_OWNED', async () => {
    const as = await fixture.newAdmin();
    const domain = newDomain();
    await fixture.publish(domain, as);
    expect(await outcomeOf(times(CONCURRENCY, () => fixture.claim(domain, as)))).toEqual({
      succeeded: 1,
      refusals: ['DOMAIN_OWNED: '],
    });
  });

  it('DOM-12: gives a domain that is released concurrently to at most one account, without a 5xx', async () => {
    const [claimant, next] = [await fixture.newAdmin(), await fixture.newAdmin()];
    for (let round = 0; round < 20; round++) {
      const domain = newDomain();
      const { txt_value } = await fixture.challenge(domain, next);
      await fixture.proveAndClaim(domain, claimant);
      fixture.dns.setTxt(`_vaultsvc.${domain}`, txt_value);
      const [, claimed] = await Promise.allSettled([
        fixture.release(domain, claimant),
        fixture.claim(domain, next),
      ]);
      if (claimed.status === 'rejected') expect(messageOf(claimed.reason)).toContain('another organization');
      expect((await fixture.list(claimant)).domains).toEqual([]);
      expect((await fixture.list(next)).domains).toHaveLength(claimed.status === 'fulfilled' ? 1 : 0);
      if (claimed.status === 'fulfilled') await fixture.release(domain, next);
    }
  });
});
