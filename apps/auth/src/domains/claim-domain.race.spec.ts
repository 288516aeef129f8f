import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AppError, type AccountContext } from '@vaultsvc/contracts';
import { outboxEvents } from '@vaultsvc/testing/harness';
import { Claims, newDomain } from '../testing/claims.js';

let claims: Claims;

beforeAll(async () => {
  claims = await Claims.start();
});
afterAll(() => claims.stop());

const AT_ONCE = 20;
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

interface Outcome {
  readonly won: number;
  /** What the losers were told, each sentence once. */
  readonly refusals: readonly string[];
}

async function outcomeOf(calls: readonly Promise<unknown>[]): Promise<Outcome> {
  const settled = await Promise.allSettled(calls);
  const refusals = settled.flatMap((call) => (call.status === 'rejected' ? [saying(call.reason)] : []));
  return { won: AT_ONCE - refusals.length, refusals: [...new Set(refusals)] };
}

function saying(error: unknown): string {
  if (!(error instanceof AppError)) throw error;
  const [field] = (error.details?.fields ?? []) as readonly { message: string }[];
  return `${error.reason}: ${field?.message ?? ''}`;
}

async function eventsOf(domain: string): Promise<number> {
  return (await outboxEvents(claims.service, { domain })).length;
}

async function claimNine(as: AccountContext): Promise<void> {
  for (const domain of times(9, newDomain)) await claims.proveAndClaim(domain, as);
}

it('DOM-10: an account with nine domains that claims twenty at once gets one more', async () => {
  for (let round = 0; round < 3; round++) {
    const as = await claims.newAdmin();
    await claimNine(as);
    const domains = times(AT_ONCE, newDomain);
    for (const domain of domains) await claims.publish(domain, as);
    expect(await outcomeOf(domains.map((domain) => claims.claim(domain, as)))).toEqual({
      won: 1,
      refusals: [expect.stringMatching(/^VALIDATION_ERROR: .*10 domains/)],
    });
    expect((await claims.list(as)).domains).toHaveLength(10);
  }
});

it('DOM-11: of twenty accounts that claim one domain at once one has it, and one event tells of it', async () => {
  const contestants = await Promise.all(times(AT_ONCE, () => claims.newAdmin()));
  for (let round = 0; round < 5; round++) {
    const domain = newDomain();
    const records = await Promise.all(contestants.map((as) => claims.challenge(domain, as)));
    claims.dns.setTxt(`_vaultsvc.${domain}`, ...records.map(({ txt_value }) => txt_value));
    expect(await outcomeOf(contestants.map((as) => claims.claim(domain, as)))).toEqual({
      won: 1,
      refusals: [expect.stringMatching(/^VALIDATION_ERROR: .*another organization/)],
    });
    expect(await eventsOf(domain)).toBe(1);
    const lists = await Promise.all(contestants.map((as) => claims.list(as)));
    const holders = lists.filter(({ domains }) => domains.some((claimed) => claimed.domain === domain));
    expect(holders).toHaveLength(1);
    const winner = contestants[lists.indexOf(holders[0] as (typeof lists)[number])];
    await claims.release(domain, winner as AccountContext);
  }
});

it('OPEN-46: of twenty claims of one domain by one account one succeeds, the others are told it is theirs', async () => {
  const as = await claims.newAdmin();
  const domain = newDomain();
  await claims.publish(domain, as);
  expect(await outcomeOf(times(AT_ONCE, () => claims.claim(domain, as)))).toEqual({
    won: 1,
    refusals: ['DOMAIN_OWNED: '],
  });
});

it('DOM-12: whoever claims while the holder lets go has it or is refused; never both hold it, never an error', async () => {
  const [holder, next] = [await claims.newAdmin(), await claims.newAdmin()];
  for (let round = 0; round < 20; round++) {
    const domain = newDomain();
    const { txt_value } = await claims.challenge(domain, next);
    await claims.proveAndClaim(domain, holder);
    claims.dns.setTxt(`_vaultsvc.${domain}`, txt_value);
    const [, claimed] = await Promise.allSettled([
      claims.release(domain, holder),
      claims.claim(domain, next),
    ]);
    if (claimed.status === 'rejected') expect(saying(claimed.reason)).toContain('another organization');
    expect((await claims.list(holder)).domains).toEqual([]);
    expect((await claims.list(next)).domains).toHaveLength(claimed.status === 'fulfilled' ? 1 : 0);
    if (claimed.status === 'fulfilled') await claims.release(domain, next);
  }
});
