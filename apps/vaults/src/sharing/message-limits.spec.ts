import { beforeEach, describe, expect, it } from '@jest/globals';
import { deliverIngotLink, inviteToIngot, resendInvite } from '@vaultsvc/contracts/vaults';
import { accountContext, reasonOf } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { useSharingPlatform, type SharingFixture } from '../testing/sharing.js';

const platform = useSharingPlatform({ MAILS_PER_HOUR: '2' });
let fixture: SharingFixture;
beforeEach(async () => {
  fixture = await platform.newSharingFixture(accountContext());
  await until(async () => {
    const [row] = await platform.sparksSql<{ is_away: boolean }>(
      `SELECT extract(epoch FROM clock_timestamp()) % 3600 < 3585 AS is_away`,
    );
    return row?.is_away === true; // a test must not cross the hour of the counters
  });
});

const nextHour = () => platform.sparksSql(`UPDATE message_counts SET hour = hour - interval '1 hour'`);
const forGuests = (...names: string[]) => ({
  shared: true,
  visibility: 'invite_only' as const,
  invites: names.map((name) => `${name}@example.test`),
});
const invite = (ingot_id: string, identity: string) =>
  fixture.call(inviteToIngot, { params: { vault_id: fixture.vault_id, ingot_id }, body: { identity } });

describe('SHR-11: a share with more invitations than the message limit', () => {
  it('is refused and presented as not shared, and can be created an hour later', async () => {
    const ingot_id = await fixture.stored('hello');
    const terms = forGuests('ann', 'bob', 'eve');
    expect(await reasonOf(fixture.put(ingot_id, terms))).toBe('MESSAGES_EXHAUSTED');
    expect(await fixture.get(ingot_id)).toMatchObject({ shared: false, public_url: null, invites: [] });
    await fixture.put(ingot_id, forGuests('ann', 'bob'));
    const other = await fixture.stored('others');
    expect(await reasonOf(fixture.put(other, forGuests('ann')))).toBe('MESSAGES_EXHAUSTED');
    await nextHour();
    const shared = await fixture.put(other, forGuests('ann'));
    expect(shared).toMatchObject({ shared: true, invites: [{ identity: 'ann@example.test' }] });
    expect(await fixture.get(other)).toEqual(shared);
  });

  it('is unchanged by a refused update, a refused invite and a refused resend', async () => {
    const ingot_id = await fixture.stored('hello');
    const { invites, link_code } = await fixture.put(ingot_id, forGuests('ann', 'bob'));
    const ofAnn = { vault_id: fixture.vault_id, ingot_id, invite_id: invites[0]?.invite_id as string };
    for (const refused of [
      () => fixture.put(ingot_id, forGuests('eve')),
      () => invite(ingot_id, 'eve@example.test'),
      () => fixture.call(resendInvite, { params: ofAnn }),
    ])
      expect(await reasonOf(refused())).toBe('MESSAGES_EXHAUSTED');
    expect(await fixture.get(ingot_id)).toMatchObject({ shared: true, link_code, invites });
    await nextHour();
    await invite(ingot_id, 'eve@example.test');
    expect((await fixture.get(ingot_id)).invites).toHaveLength(3);
  });

  it('SHR-14: also limits the delivery of one-time links, which can still be opened', async () => {
    const ingot_id = await fixture.stored('once');
    await fixture.put(ingot_id, forGuests('ann', 'bob'));
    const { link_code } = await fixture.link(ingot_id);
    const params = { vault_id: fixture.vault_id, ingot_id, code: link_code };
    const delivery = { params, body: { identity: 'ann@example.test' } };
    expect(await reasonOf(fixture.call(deliverIngotLink, delivery))).toBe('MESSAGES_EXHAUSTED');
    expect(await platform.fetched(link_code, 'link')).toBe('once');
  });
});
