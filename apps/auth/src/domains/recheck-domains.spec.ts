import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AccountContext } from '@vaultsvc/contracts';
import { describeDomainWarning } from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { internalContext, outboxEvents, rowsOf, stopSchedule } from '@vaultsvc/testing/harness';
import { mintSession } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';
import { DomainClaimsFixture, newDomain, sessionContextOf } from '../testing/domain-claims-fixture.js';
import { DomainCheckRepository } from './domain-check.repository.js';
import { DomainClaimLookup } from './domain-claim-lookup.js';
import { RecheckDomains } from './recheck-domains.job.js';

const DAY = 86_400;
let fixture: DomainClaimsFixture;
let owner: AccountContext;
let domain: string;

beforeAll(async () => {
  fixture = await DomainClaimsFixture.start();
  await stopSchedule(fixture.service);
});
afterAll(() => fixture.stop());

beforeEach(async () => {
  fixture.dns.mode = 'answer';
  const { accountId, subject } = await mintSession(fixture.service);
  owner = sessionContextOf(accountId as string, 'owner', subject);
  domain = newDomain();
  await fixture.proveAndClaim(domain, owner);
});

/** An owner of the account who has not accepted yet. */
async function invitedOwner(): Promise<string> {
  const { accountId } = owner.credential;
  const { subject } = await mintSession(fixture.service, { accountId, role: 'owner' });
  await rowsOf(fixture.service, `UPDATE users SET status = 'invited' WHERE id = $1`, [subject]);
  return subject;
}
const job = () => fixture.service.context.get(RecheckDomains);
const sql = (text: string) => rowsOf(fixture.service, text, [domain]);
const removeRecord = () => fixture.dns.setTxt(`_vaultsvc.${domain}`);
const state = async () => {
  const [row] = await sql(
    `SELECT missing_since IS NOT NULL AS missing, round(extract(epoch FROM next_check_at - now())) AS seconds
       FROM domains WHERE domain = $1`,
  );
  return row && { missing: row['missing'], days: Number(row['seconds']) / DAY };
};
/** Moves all times of the claim into the past and runs the check. */
async function checkAfter(days: number): Promise<void> {
  await sql(
    `UPDATE domains SET next_check_at = now(), missing_since = missing_since - interval '${days} days' WHERE domain = $1`,
  );
  await job().run();
}
const eventsOf = async (name: string) =>
  (await outboxEvents(fixture.service, { domain }, { name, columns: ['payload'] })).map(
    ({ payload }) => payload,
  );
const claimant = () =>
  fixture.service.context
    .get(DomainClaimLookup)
    .accountOf(fixture.service.context.get(Database), `ann@${domain}`);
const warning = (user_id = owner.credential.userId as string) =>
  fixture.harness.bus.call(describeDomainWarning, { body: { domain, user_id } }, internalContext());

describe('DOM-09: the weekly check of a claimed domain', () => {
  it('is due after seven days, and again seven days after the record was found', async () => {
    expect((await state())?.days).toBeCloseTo(7, 1);
    const asked = fixture.dns.questions.length;
    await job().run();
    expect(fixture.dns.questions).toHaveLength(asked);
    await checkAfter(7);
    expect(fixture.dns.questions.length).toBeGreaterThan(asked);
    expect(await state()).toEqual({ missing: false, days: expect.closeTo(7, 1) });
    expect(await eventsOf('auth.domain-unproven')).toEqual([]);
  });

  it('warns each active owner when the record is missing, while the claim stays in force', async () => {
    const { accountId } = owner.credential;
    const second = await mintSession(fixture.service, { accountId, role: 'owner' });
    await mintSession(fixture.service, { accountId, role: 'admin' });
    await invitedOwner();
    removeRecord();
    await checkAfter(7);
    const owners = [owner.credential.userId as string, second.subject].sort();
    expect(await eventsOf('auth.domain-unproven')).toEqual(
      owners.map((user_id) => ({ account_id: accountId, domain, user_id })),
    );
    expect(await state()).toEqual({ missing: true, days: expect.closeTo(7, 1) });
    expect(await claimant()).toBe(accountId);
  });

  it('takes a record with another value for a missing one', async () => {
    fixture.dns.setTxt(`_vaultsvc.${domain}`, 'vaultsvc-domain-verification=other');
    await checkAfter(7);
    expect(await eventsOf('auth.domain-unproven')).toHaveLength(1);
  });

  it('warns every week, and lets the claim lapse after 30 days, once', async () => {
    removeRecord();
    await checkAfter(0);
    for (const week of [1, 2, 3, 4]) {
      await checkAfter(7);
      expect(await eventsOf('auth.domain-unproven')).toHaveLength(week + 1);
    }
    expect((await state())?.days).toBeCloseTo(2, 1);
    await checkAfter(2);
    expect(await state()).toBeUndefined();
    expect(await eventsOf('auth.domain-lapsed')).toEqual([
      { account_id: owner.credential.accountId, domain, actor: { kind: 'job', id: 'recheck-domains' } },
    ]);
    expect(await eventsOf('auth.domain-unproven')).toHaveLength(5);
  });

  it('lets nothing lapse without a check after the 30 days', async () => {
    const { txt_name, txt_value } = await fixture.list(owner).then(({ domains }) => domains[0] as never);
    removeRecord();
    await checkAfter(7);
    fixture.dns.setTxt(txt_name, txt_value);
    await checkAfter(60);
    expect(await state()).toMatchObject({ missing: false });
    removeRecord();
    await checkAfter(7);
    expect(await state()).toMatchObject({ missing: true });
    expect(await eventsOf('auth.domain-lapsed')).toEqual([]);
  });

  it.each(['servfail', 'refuse'] as const)(
    'is repeated after an hour when DNS answers %s, and counts nothing',
    async (mode) => {
      removeRecord();
      await checkAfter(7);
      fixture.dns.mode = mode;
      await checkAfter(40);
      expect(await state()).toEqual({ missing: true, days: expect.closeTo(1 / 24, 2) });
      expect(await eventsOf('auth.domain-unproven')).toHaveLength(1);
      expect(await claimant()).toBe(owner.credential.accountId);
    },
  );

  it('is made by one of two instances', async () => {
    const second = await fixture.harness.start(auth);
    await stopSchedule(second);
    removeRecord();
    await sql(`UPDATE domains SET next_check_at = now() WHERE domain = $1`);
    await Promise.all([job().run(), second.context.get(RecheckDomains).run()]);
    expect(await eventsOf('auth.domain-unproven')).toHaveLength(1);
  });

  it('does not concern a claim that another organization has made since', async () => {
    const checks = fixture.service.context.get(DomainCheckRepository);
    await sql(`UPDATE domains SET next_check_at = now() WHERE domain = $1`);
    const leased = await checks.lease();
    expect(leased).toMatchObject({ domain, accountId: owner.credential.accountId });
    await fixture.release(domain, owner);
    const other = await fixture.newAdmin();
    await fixture.proveAndClaim(domain, other);
    const database = fixture.service.context.get(Database);
    expect(await database.transaction((tx) => checks.recordMissing(tx, leased as never))).toBe(false);
    expect(await state()).toMatchObject({ missing: false });
    await sql(`UPDATE domains SET missing_since = now() - interval '31 days' WHERE domain = $1`);
    expect(await database.transaction((tx) => checks.lapse(tx, leased as never))).toBe(false);
    await checks.recordFound(leased as never);
    expect(await state()).toMatchObject({ missing: true });
    expect(await claimant()).toBe(other.credential.accountId);
  });
});

describe('DOM-12: a claim that has lapsed', () => {
  it('lets another organization claim the domain, as after a release', async () => {
    removeRecord();
    await checkAfter(0);
    await checkAfter(30);
    expect(await claimant()).toBeUndefined();
    const other = await fixture.newAdmin();
    await fixture.proveAndClaim(domain, other);
    expect(await claimant()).toBe(other.credential.accountId);
  });
});

describe('DOM-09: the content of a warning', () => {
  it('has the address of the owner, the record to publish and the time of the lapse', async () => {
    const [record] = (await fixture.list(owner)).domains;
    removeRecord();
    await checkAfter(0);
    const { txt_name, txt_value } = record ?? {};
    expect(await warning()).toEqual({
      email: expect.stringContaining('@'),
      organization_name: 'Test organization',
      domain,
      txt_name,
      txt_value,
      lapses_at: expect.closeTo(Date.now() / 1_000 + 30 * DAY, -2),
    });
  });

  it('is unknown for other users, and once the record was found or the claim released', async () => {
    const unknown = { reason: 'DOMAIN_NOT_FOUND' };
    await expect(warning()).rejects.toMatchObject(unknown);
    const [record] = (await fixture.list(owner)).domains;
    removeRecord();
    await checkAfter(0);
    const { accountId } = owner.credential;
    const admin = await mintSession(fixture.service, { accountId, role: 'admin' });
    const stranger = await mintSession(fixture.service);
    for (const id of [admin.subject, await invitedOwner(), stranger.subject, newId('usr_')])
      await expect(warning(id)).rejects.toMatchObject(unknown);
    fixture.dns.setTxt(record?.txt_name as string, record?.txt_value as string);
    await checkAfter(7);
    await expect(warning()).rejects.toMatchObject(unknown);
    removeRecord();
    await checkAfter(7);
    await fixture.release(domain, owner);
    await expect(warning()).rejects.toMatchObject(unknown);
  });
});
