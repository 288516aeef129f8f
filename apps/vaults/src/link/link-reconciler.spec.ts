import { beforeAll, describe, expect, it } from '@jest/globals';
import { addOneTimeLink, putIngotShare } from '@vaultsvc/contracts/sparks';
import { deleteIngot, endLink } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { mintLinkCode } from '@vaultsvc/crypto/tokens';
import { internalContext, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { randomUUID } from 'node:crypto';
import { EndUnlinkedShares } from '../sharing/end-unlinked-shares.job.js';
import { useSharingPlatform, type SharingFixture } from '../testing/sharing.js';

const platform = useSharingPlatform({ LOG_LEVEL: 'silent' });
let fixture: SharingFixture;
beforeAll(async () => {
  await stopSchedule(platform.service);
  fixture = await platform.newSharingFixture();
});

const everyone = { shared: true, visibility: 'public' } as const;
const context = () => internalContext();
const linksOf = (ingotId: string) =>
  platform.sparksSql<{ id: string; status: string }>(
    `SELECT id, status FROM sparklinks WHERE asset_id = $1 ORDER BY created_at`,
    [ingotId],
  );
const statusesOf = async (ingotId: string) => (await linksOf(ingotId)).map(({ status }) => status);

/** Simulates a call that stops right after its last request to sparks, without reading the answer. */
async function lateLink(ingotId: string, kind: 'durable' | 'one-time', own = fixture) {
  // The link may be revoked before the answer, which then reports it.
  const reason = await reasonOf(askForLink(ingotId, kind, own));
  expect(['none', 'LINK_REVOKED']).toContain(reason);
}

function askForLink(ingot_id: string, kind: 'durable' | 'one-time', { vault_id, caller }: SharingFixture) {
  const { accountId: account_id, credentialId: actor_id } = caller.credential;
  const place = { account_id, vault_id, ingot_id, link_id: randomUUID() };
  const act = { ...place, actor_type: 'api_key', actor_id } as const;
  const once = { ...act, link_code: mintLinkCode(), expires_at: Math.floor(Date.now() / 1_000) + 3_600 };
  return kind === 'durable'
    ? platform.harness.bus.call(putIngotShare, { body: { ...act, visibility: 'public' } }, context())
    : platform.harness.bus.call(addOneTimeLink, { body: once }, context());
}

describe('a link created after its ingot or share has ended', () => {
  it.each(['durable', 'one-time'] as const)(
    'ING-36: is removed when the ingot is deleted: a %s one',
    async (kind) => {
      const ingot_id = await fixture.stored('gone before its link came');
      await fixture.call(deleteIngot, { params: { vault_id: fixture.vault_id, ingot_id } });
      await lateLink(ingot_id, kind);
      expect(
        await eventually(
          () => statusesOf(ingot_id),
          (links) => links.length === 0,
        ),
      ).toEqual([]);
    },
  );

  it('VLT-24 AMB-58: is removed when its vault is being deleted, or has no such ingot', async () => {
    const [deleted, other] = [await platform.newSharingFixture(), await platform.newSharingFixture()];
    const gone = await deleted.stored('in a vault that is being deleted');
    // Without the event of the deletion, by which sparks would remove the link too.
    await platform.sql(`UPDATE vaults SET status = 'deleting', deleted_at = now() WHERE id = $1`, [
      deleted.vault_id,
    ]);
    const elsewhere = await fixture.stored('in another vault');
    await lateLink(gone, 'durable', deleted);
    await lateLink(elsewhere, 'durable', other);
    for (const ingotId of [gone, elsewhere])
      expect(
        await eventually(
          () => statusesOf(ingotId),
          (links) => links.length === 0,
        ),
      ).toEqual([]);
  });

  it('SHR-07: is revoked when its ingot is no longer shared, without affecting other links', async () => {
    const ingot_id = await fixture.stored('shared no more when its link came');
    const { link_code } = await fixture.link(ingot_id);
    await lateLink(ingot_id, 'durable');
    const ended = ['active', 'revoked'];
    expect(
      await eventually(
        () => statusesOf(ingot_id),
        (links) => links[1] === 'revoked',
      ),
    ).toEqual(ended);
    expect(await platform.fetched(link_code, 'link')).toBe('shared no more when its link came');
  });
});

describe('a share without a link', () => {
  const job = () => platform.service.context.get(EndUnlinkedShares);
  const sharesOf = (ingotId: string) =>
    platform.sql<{ is_linked: boolean }>(`SELECT is_linked FROM ingot_shares WHERE ingot_id = $1`, [ingotId]);
  const wrapsOf = (ingotId: string) =>
    platform.sql(`SELECT 1 FROM ingot_versions WHERE ingot_id = $1 AND shared_key IS NOT NULL`, [ingotId]);
  const whenLinked = (ingotId: string) =>
    eventually(
      () => sharesOf(ingotId),
      ([share]) => share?.is_linked === true,
    );
  /** Simulates that the event of its link was lost. Waits for that event first, which would mark the share again. */
  const age = async (ingotId: string, since = '10 minutes') => {
    await whenLinked(ingotId);
    await platform.sql(
      `UPDATE ingot_shares SET is_linked = false, created_at = now() - $2::interval WHERE ingot_id = $1`,
      [ingotId, since],
    );
  };

  it('SHR-07: is ended with its wraps, and the ingot can be shared again', async () => {
    const ingot_id = await fixture.stored('shared by a call that stopped');
    await fixture.share(ingot_id);
    await platform.sparksSql(`DELETE FROM sparklinks WHERE asset_id = $1`, [ingot_id]);
    await age(ingot_id);
    await job().run();
    expect([...(await sharesOf(ingot_id)), ...(await wrapsOf(ingot_id))]).toEqual([]);
    const { link_code } = await fixture.put(ingot_id, everyone);
    expect(await platform.fetched(link_code as string, 'files')).toBe('shared by a call that stopped');
  });

  it('SHR-07: is left for ten minutes, since its link may still be created', async () => {
    const ingot_id = await fixture.stored('shared by a call that is running');
    await fixture.share(ingot_id);
    await platform.sparksSql(`DELETE FROM sparklinks WHERE asset_id = $1`, [ingot_id]);
    await age(ingot_id, '9 minutes');
    await job().run();
    expect(await sharesOf(ingot_id)).toEqual([{ is_linked: false }]);
  });

  it('SHR-07: is ended even if sparks fails for an older share', async () => {
    const stuck = await fixture.stored('whose link cannot be read');
    const ingot_id = await fixture.stored('behind it');
    await fixture.share(stuck);
    await fixture.share(ingot_id);
    await platform.sparksSql(`UPDATE sparklinks SET kid = 'lost' WHERE asset_id = $1`, [stuck]);
    await platform.sparksSql(`DELETE FROM sparklinks WHERE asset_id = $1`, [ingot_id]);
    await age(stuck);
    await age(ingot_id);
    await job().run();
    expect([await sharesOf(stuck), await sharesOf(ingot_id)]).toEqual([[{ is_linked: false }], []]);
  });

  it('SHR-07: is marked when its link is created, and kept when sparks has the link', async () => {
    const ingot_id = await fixture.stored('shared by a call that completed');
    const code = await fixture.share(ingot_id);
    const linked = [{ is_linked: true }];
    expect(await whenLinked(ingot_id)).toEqual(linked);
    await age(ingot_id);
    await job().run();
    expect(await sharesOf(ingot_id)).toEqual(linked);
    expect(await platform.fetched(code, 'files')).toBe('shared by a call that completed');
  });
});

describe('the end of a link', () => {
  it('ENV-41 SHR-07: ends no share in another account, and none that has another link', async () => {
    const ingot_id = await fixture.stored('shared all the time');
    const code = await fixture.share(ingot_id);
    const [share] = await platform.sql<{ link_id: string }>(
      `SELECT link_id FROM ingot_shares WHERE ingot_id = $1`,
      [ingot_id],
    );
    const { vault_id, caller } = fixture;
    const link = {
      account_id: caller.credential.accountId,
      vault_id,
      ingot_id,
      link_id: share?.link_id as string,
    };
    for (const given of [{ account_id: newId('acc_') }, { link_id: randomUUID() }])
      await platform.harness.bus.call(endLink, { body: { ...link, ...given } }, context());
    expect(await platform.fetched(code, 'files')).toBe('shared all the time');
  });
});
