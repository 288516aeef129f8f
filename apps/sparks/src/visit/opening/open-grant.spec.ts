import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { GrantPolicy, Interaction } from '@vaultsvc/contracts/sparks';
import { mintBearer } from '@vaultsvc/crypto/tokens';
import type { RunningService } from '@vaultsvc/service';
import { accountContext, outboxEvents, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import { grantsOf, type Grant } from '../../testing/grants.js';
import { linksOf } from '../../testing/links.js';
import { usePlatform } from '../../testing/platform.js';

const ANN = 'ann@example.test';
const BOB = 'bob@example.test';
const caller = accountContext();
const platform = usePlatform({ LOG_LEVEL: 'silent' });
let grants: ReturnType<typeof grantsOf>;
let authService: RunningService;
beforeAll(async () => {
  await stopSchedule(platform.service);
  authService = await platform.harness.start(auth, { LOG_LEVEL: 'silent' });
  grants = grantsOf(platform, caller);
});

type Terms = Partial<GrantPolicy>;
const level = (verification_level: GrantPolicy['verification_level'], more: Terms = {}) => ({
  verification_level,
  ...more,
});
const open = (grant: Grant, verification_token?: string, visit = {}) =>
  grants.visits.open(grant.code, verification_token === undefined ? {} : { verification_token }, visit);
const errorOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'none',
    ({ reason, details }: { reason: string; details?: object }) => ({ reason, ...(details && { details }) }),
  );
/** A session of a new account, and a grant for its user. */
async function grantForUser(policy: Terms): Promise<{ grant: Grant; session: object }> {
  const { accountId, userId, email } = await newAccount(authService);
  const { credential } = accountContext({ kind: 'session', accountId, userId, credentialId: 'session' });
  const [grant] = await grants.minted([email], policy);
  return { grant, session: { credential } };
}
/** Makes all verifications of a grant older. */
const age = ({ link_id }: Grant, seconds: number) =>
  platform.sql(
    `UPDATE verifications SET token_expires_at = token_expires_at - make_interval(secs => $2) WHERE link_id = $1`,
    [link_id, seconds],
  );
const reveals = ({ link_id }: Grant) =>
  outboxEvents(platform.service, { link_id }, { name: ['sparks.grant-revealed'], columns: ['payload'] });
/** Asserts that the refusals burned nothing. */
async function expectUntouched(...refused: Grant[]) {
  for (const grant of refused) {
    expect(await grants.statusOf(grant)).toBe('active');
    const rows = await platform.sql(`SELECT status FROM sparks WHERE id = $1`, [grant.spark_id]);
    expect(rows).toEqual([{ status: 'active' }]);
    expect(await reveals(grant)).toEqual([]);
  }
}

describe('a grant of level identifier', () => {
  it('NTF-36: opens for the addressed identity only, and is not burned by another one', async () => {
    const [ann, bob] = (await grants.minted([ANN, BOB], level('identifier'))) as unknown as [Grant, Grant];
    const required = {
      reason: 'LINK_VERIFICATION_REQUIRED',
      details: { verification: { methods: ['email'] } },
    };
    expect(await errorOf(open(ann))).toEqual(required);
    expect(await errorOf(open(ann, await grants.verify(bob)))).toEqual(required);
    await expectUntouched(ann, bob);
    expect(await open(ann, await grants.verify(ann))).toMatchObject({ type: 'content', payload: 'for you' });
    expect(await reveals(ann)).toMatchObject([
      { payload: { link_id: ann.link_id, verification_level: 'identifier', verified_by: ANN } },
    ]);
  });

  it('NTF-36: opens for a session of the addressed identity', async () => {
    const { grant, session } = await grantForUser(level('identifier'));
    const { session: stranger } = await grantForUser(level('identifier'));
    expect(await reasonOf(open(grant, undefined, stranger))).toBe('LINK_VERIFICATION_REQUIRED');
    await expectUntouched(grant);
    expect(await open(grant, undefined, session)).toMatchObject({ payload: 'for you' });
  });

  it('OPEN-64: describes a grant only to those for whom it opens, and offers no interaction by that', async () => {
    const [grant] = await grants.minted([ANN], level('identifier'));
    expect(await reasonOf(grants.visits.open(grant.code, { describe: true }))).toBe(
      'LINK_VERIFICATION_REQUIRED',
    );
    const verification_token = await grants.verify(grant);
    expect(await grants.visits.open(grant.code, { describe: true, verification_token })).toEqual({
      type: 'content',
      once: true,
    });
    await expectUntouched(grant);
  });
});

describe('a grant of level out_of_band', () => {
  it('NTF-08 OPEN-64: opens by a code and not by a session', async () => {
    const { grant, session } = await grantForUser(level('out_of_band'));
    expect(await reasonOf(open(grant, undefined, session))).toBe('LINK_VERIFICATION_REQUIRED');
    await expectUntouched(grant);
    expect(await open(grant, await grants.verify(grant))).toMatchObject({ payload: 'for you' });
  });
});

describe('a grant of level passkey', () => {
  it('NTF-08: opens by no code and no session, and names the methods', async () => {
    const { grant, session } = await grantForUser(level('passkey'));
    const verification = { methods: ['passkey'], enrollment: ['email'] };
    const required = { reason: 'LINK_VERIFICATION_REQUIRED', details: { verification } };
    expect(await errorOf(open(grant, undefined, session))).toEqual(required);
    expect(await errorOf(open(grant, await grants.verify(grant)))).toEqual(required);
    await expectUntouched(grant);
  });
});

describe('a grant with reveal_freshness_minutes', () => {
  it('NTF-11: opens with a verification of that age at most', async () => {
    const policy = level('identifier', { reveal_freshness_minutes: 3 });
    const [old, recent] = (await grants.minted([ANN, BOB], policy)) as unknown as [Grant, Grant];
    const tokens = [await grants.verify(old), await grants.verify(recent)];
    await age(old, 180);
    await age(recent, 120);
    const details = { verification: { methods: ['email'] } };
    expect(await errorOf(open(old, tokens[0]))).toEqual({ reason: 'LINK_VERIFICATION_STALE', details });
    await expectUntouched(old);
    expect(await open(recent, tokens[1])).toMatchObject({ payload: 'for you' });
    expect(await open(old, await grants.verify(old))).toMatchObject({ payload: 'for you' });
  });

  it('NTF-11: does not open by a session, whose sign-in may be of any age', async () => {
    const { grant, session } = await grantForUser(level('identifier', { reveal_freshness_minutes: 1_440 }));
    expect(await reasonOf(open(grant, undefined, session))).toBe('LINK_VERIFICATION_STALE');
    await expectUntouched(grant);
    expect(await open(grant, await grants.verify(grant), session)).toMatchObject({ payload: 'for you' });
  });

  it('NTF-11: needs no verification at level none', async () => {
    const [grant] = await grants.minted([null], { reveal_freshness_minutes: 1 });
    expect(await reasonOf(open(grant))).toBe('none');
  });
});

describe('grants of level dual_control', () => {
  it('NTF-08 OPEN-64: open once two recipients of the send have verified; before, nothing is burned', async () => {
    const [ann, bob] = (await grants.minted([ANN, BOB], level('dual_control'))) as unknown as [Grant, Grant];
    const tokens = [await grants.verify(ann), await grants.verify(bob)];
    for (let times = 0; times < 2; times++)
      expect(await errorOf(open(ann, tokens[0]))).toEqual({
        reason: 'LINK_SECOND_PERSON_REQUIRED',
        details: { code: 'LINK_SECOND_PERSON_REQUIRED' },
      });
    await expectUntouched(ann, bob);
    expect(await open(bob, tokens[1])).toMatchObject({ payload: 'for you' });
    expect(await open(ann, tokens[0])).toMatchObject({ payload: 'for you' });
  });

  it('OPEN-64: do not count visits of other sends, of the day before, and of revoked links', async () => {
    const dual = level('dual_control');
    const [ann, bob] = (await grants.minted([ANN, BOB], dual)) as unknown as [Grant, Grant];
    const [cat, dan] = (await grants.minted(['cat@example.test', 'dan@example.test'], dual)) as unknown as [
      Grant,
      Grant,
    ];
    const refused = async (grant: Grant) =>
      expect(await reasonOf(open(grant, await grants.verify(grant)))).toBe('LINK_SECOND_PERSON_REQUIRED');
    await refused(cat);
    await refused(ann);
    await platform.sql(
      `UPDATE link_policies SET visited_at = visited_at - interval '24 hours' WHERE link_id = $1`,
      [ann.link_id],
    );
    await refused(bob);
    await linksOf(platform).remove(cat.code, caller);
    await refused(dan);
    await expectUntouched(ann, bob, dan);
  });

  it('NTF-36: count no visit without the addressed identity', async () => {
    const [ann, bob] = (await grants.minted([ANN, BOB], level('dual_control'))) as unknown as [Grant, Grant];
    expect(await reasonOf(open(bob))).toBe('LINK_VERIFICATION_REQUIRED');
    expect(await reasonOf(open(ann, await grants.verify(ann)))).toBe('LINK_SECOND_PERSON_REQUIRED');
    await expectUntouched(ann, bob);
  });
});

describe('the interaction token of an opened grant', () => {
  const HASH = createHash('sha256').update('for you').digest('hex');

  it.each<[Interaction, string[]]>([
    ['view', ['view']],
    ['acknowledge', ['view', 'acknowledge']],
    ['sign', ['view', 'sign', 'deny']],
    ['approve', ['view', 'approve', 'deny']],
    ['reply', ['view', 'reply']],
  ])(
    'NTF-09 NTF-10 OPEN-64: offers the actions of %s with the hash of the content',
    async (interaction, actions) => {
      const [grant] = await grants.minted([null], { interaction });
      const { interaction: offer } = await open(grant);
      expect(offer).toEqual({
        interaction_token: expect.stringMatching(/^[\w-]{43}$/),
        actions,
        action_hash: HASH,
        is_requested: interaction !== 'view',
        expires_at: expect.any(Number),
      });
      const day = (offer?.expires_at as number) - Date.now() / 1_000;
      expect(Math.abs(day - 86_400)).toBeLessThan(60);
    },
  );

  it('NTF-46 NTF-10: is redeemed for the reveal, as often as it is sent', async () => {
    const [grant] = await grants.minted([ANN], level('identifier'));
    const { interaction } = await open(grant, await grants.verify(grant));
    const token = interaction?.interaction_token as string;
    const redeemed = await grants.redeem(grant.code, token);
    expect(redeemed).toEqual({
      account_id: caller.credential.accountId,
      link_id: grant.link_id,
      verified_by: ANN,
      verification_level: 'identifier',
      action_hash: HASH,
      revealed_at: expect.any(Number),
      version: null,
    });
    expect(await grants.redeem(grant.code, token)).toEqual(redeemed);
  });

  it('OPEN-64: is refused with another link, when it is malformed or wrong, before a reveal and after 24 hours', async () => {
    const [first, second, third] = (await grants.minted([null, null, null])) as unknown as [
      Grant,
      Grant,
      Grant,
    ];
    const token = (await open(first)).interaction?.interaction_token as string;
    await open(second);
    const refusedWith = (code: string, text: string) => reasonOf(grants.redeem(code, text));
    expect(await refusedWith(second.code, token)).toBe('INTERACTION_TOKEN_INVALID');
    expect(await refusedWith(third.code, token)).toBe('INTERACTION_TOKEN_INVALID');
    for (const text of [mintBearer(), 'x', '', `${token}\0`])
      expect(await refusedWith(first.code, text)).toBe('INTERACTION_TOKEN_INVALID');
    expect(await refusedWith('no code', token)).toBe('LINK_NOT_FOUND');
    await platform.sql(`UPDATE link_policies SET token_expires_at = now() WHERE link_id = $1`, [
      first.link_id,
    ]);
    expect(await refusedWith(first.code, token)).toBe('INTERACTION_TOKEN_INVALID');
  });

  it('NTF-46: is redeemed also after the link and its Spark have been deleted', async () => {
    const [grant] = await grants.minted([null]);
    const token = (await open(grant)).interaction?.interaction_token as string;
    await platform.sql(`DELETE FROM sparklinks WHERE id = $1`, [grant.link_id]);
    expect(await grants.redeem(grant.code, token)).toMatchObject({
      link_id: grant.link_id,
      verified_by: null,
    });
  });

  it('NTF-23 MISC-03: is stored as a hash, and identity and hash of the content are sealed', async () => {
    const [grant] = await grants.minted([ANN], level('identifier'));
    const token = (await open(grant, await grants.verify(grant))).interaction?.interaction_token as string;
    const [row] = await platform.sql<{ text: string }>(
      `SELECT p::text || encode(sealed_reveal, 'escape') AS text FROM link_policies p WHERE link_id = $1`,
      [grant.link_id],
    );
    for (const secret of [token, Buffer.from(token, 'base64url').toString('hex'), ANN, HASH, grant.code])
      expect(row?.text).not.toContain(secret);
  });

  it('LNK-16: is not offered for a link that is no grant', async () => {
    const { spark_id } = await platform.create({ payload: 'plain' }, caller);
    const { link_code } = await linksOf(platform).share(spark_id, { visibility: 'public' }, caller);
    expect(await grants.visits.open(link_code)).not.toHaveProperty('interaction');
  });
});
