import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LinkContent } from '@vaultsvc/contracts/sparks';
import { Database } from '@vaultsvc/database';
import { accountContext, lockWaiters, outboxEvents, readReason, reasonOf } from '@vaultsvc/testing/harness';
import { raceUntilSeen } from '@vaultsvc/testing/races';
import { until } from '@vaultsvc/testing/waiting';
import { sparks } from '../../service-definition.js';
import { grantsOf, type Grant } from '../../testing/grants.js';
import { startPlatform, type Platform } from '../../testing/platform.js';

const caller = accountContext();
let platform: Platform;
let grants: ReturnType<typeof grantsOf>;
beforeAll(async () => {
  const settings = { LOG_LEVEL: 'silent' };
  platform = await startPlatform(settings);
  await platform.harness.start(sparks, settings); // In the same queue group.
  grants = grantsOf(platform, caller);
});
afterAll(() => platform.harness.stop());

const open = (grant: Grant, verification_token: string): Promise<LinkContent | string> =>
  grants.visits.open(grant.code, { verification_token }).catch(readReason);
const openedOf = (outcomes: readonly (LinkContent | string)[]) =>
  outcomes.filter((outcome): outcome is LinkContent => typeof outcome === 'object');
const reveals = ({ link_id }: Grant) =>
  outboxEvents(platform.service, { link_id }, { name: ['sparks.grant-revealed'], columns: ['name'] });
const dual = { verification_level: 'dual_control' } as const;
const people = ['ann@example.test', 'bob@example.test'];

describe('concurrent openings of one grant on two instances', () => {
  it('NTF-28 OPEN-64: return the content and one interaction token once for twenty visitors', async () => {
    for (let round = 0; round < 10; round++) {
      const [grant] = await grants.minted([people[0] as string], { verification_level: 'identifier' });
      const token = await grants.verify(grant);
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => open(grant, token)));
      const opened = openedOf(outcomes);
      expect(opened).toHaveLength(1);
      expect(await reveals(grant)).toHaveLength(1);
      const offered = opened[0]?.interaction?.interaction_token as string;
      expect(await grants.redeem(grant.code, offered)).toMatchObject({ link_id: grant.link_id });
      for (const outcome of outcomes)
        if (typeof outcome === 'string') expect(['LINK_BEING_OPENED', 'LINK_CONSUMED']).toContain(outcome);
    }
  });
});

describe('two recipients of dual control who open at the same moment', () => {
  it('OPEN-64: are not both refused, and the refused one opens on the next attempt', () =>
    raceUntilSeen(['both', 'one'], 20, async (together) => {
      const [ann, bob] = (await grants.minted(people, dual)) as unknown as [Grant, Grant];
      const tokens = [await grants.verify(ann), await grants.verify(bob)] as const;
      const outcomes = await together(
        () => open(ann, tokens[0]),
        () => open(bob, tokens[1]),
      );
      const opened = openedOf(outcomes);
      expect(opened.length).toBeGreaterThan(0);
      for (const [index, grant] of [ann, bob].entries()) {
        const outcome = outcomes[index];
        if (typeof outcome === 'object') continue;
        expect(outcome).toBe('LINK_SECOND_PERSON_REQUIRED');
        expect(await grants.statusOf(grant)).toBe('active');
        expect(await open(grant, tokens[index] as string)).toMatchObject({ payload: 'for you' });
      }
      return opened.length === 2 ? 'both' : 'one';
    }));
});

describe('a policy that is no longer met when the grant is burned', () => {
  it('OPEN-64 LNK-14: rolls the burn back, so that nothing was opened', async () => {
    const [ann, bob] = (await grants.minted(people, dual)) as unknown as [Grant, Grant];
    expect(await open(bob, await grants.verify(bob))).toBe('LINK_SECOND_PERSON_REQUIRED');
    const token = await grants.verify(ann);
    const other = await platform.service.context.get(Database).connect();
    await other.query('BEGIN');
    await other.query('SELECT FROM sparklinks WHERE id = $1 FOR UPDATE', [ann.link_id]);
    const opened = reasonOf(grants.visits.open(ann.code, { verification_token: token }));
    await until(async () => (await lockWaiters(platform.service)) === 1);
    await other.query(`UPDATE sparklinks SET status = 'revoked', revoked_at = now() WHERE id = $1`, [
      bob.link_id,
    ]);
    await other.query('COMMIT');
    other.release();
    expect(await opened).toBe('LINK_BEING_OPENED');
    expect(await grants.statusOf(ann)).toBe('active');
    expect(await reveals(ann)).toEqual([]);
    expect(await open(ann, token)).toBe('LINK_SECOND_PERSON_REQUIRED');
  });
});
