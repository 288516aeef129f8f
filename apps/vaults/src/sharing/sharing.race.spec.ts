import { beforeAll, describe, expect, it } from '@jest/globals';
import { listLinks } from '@vaultsvc/contracts/sparks';
import { deleteIngot, type SharingChange } from '@vaultsvc/contracts/vaults';
import { reasonOf } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { useSharingPlatform, type SharingFixture } from '../testing/sharing.js';

const platform = useSharingPlatform();
let fixture: SharingFixture;
beforeAll(async () => {
  fixture = await platform.newSharingFixture();
});

const many = <T>(count: number, make: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)));
const everyone: SharingChange = { shared: true, visibility: 'public' };
const linksOf = (ingot_id: string) =>
  platform.sparksSql<{ status: string }>(`SELECT status FROM sparklinks WHERE asset_id = $1`, [ingot_id]);
const activeLinksOf = async (ingot_id: string) =>
  (await linksOf(ingot_id)).filter(({ status }) => status === 'active').length;

describe('concurrent changes of sharing', () => {
  it('SHR-07: create one share and one link from 20 calls', async () => {
    const ingot_id = await fixture.stored('one of all');
    const shared = await many(20, () => fixture.put(ingot_id, everyone));
    expect(new Set(shared.map(({ link_code }) => link_code)).size).toBe(1);
    expect(await linksOf(ingot_id)).toEqual([{ status: 'active' }]);
    const published = (await fixture.events()).filter(({ payload }) => payload['ingot_id'] === ingot_id);
    expect(published.filter(({ name }) => name === 'vaults.sharing-enabled')).toHaveLength(1);
    expect(await platform.fetched(shared[0]?.link_code as string, 'files')).toBe('one of all');
  });

  it('SHR-07: leave one link that opens, or none, as GET shows, after sharing and unsharing repeatedly', async () => {
    const ingot_id = await fixture.stored('to and fro');
    const reasons = await many(20, (i) =>
      reasonOf(fixture.put(ingot_id, i % 2 === 0 ? everyone : { shared: false })),
    );
    expect(new Set(reasons)).toEqual(new Set(['none']));
    const { shared, link_code } = await fixture.get(ingot_id);
    expect(await activeLinksOf(ingot_id)).toBe(shared ? 1 : 0);
    if (link_code !== null) expect(await platform.fetched(link_code, 'files')).toBe('to and fro');
    await fixture.put(ingot_id, { shared: false });
    expect(await activeLinksOf(ingot_id)).toBe(0);
  });

  it('AMB-37: leave no invites on a public link', async () => {
    const ingot_id = await fixture.stored('for guests or for everyone');
    for (let round = 0; round < 10; round += 1) {
      await fixture.put(ingot_id, { shared: true, visibility: 'invite_only' });
      const changes: SharingChange[] = [{ invites: ['ann@x.test'] }, { visibility: 'public' }];
      await many(2, (i) => reasonOf(fixture.put(ingot_id, changes[i] as SharingChange)));
      const { visibility, invites } = await fixture.get(ingot_id);
      expect([visibility, invites.length]).toEqual(
        visibility === 'public' ? ['public', 0] : ['invite_only', 1],
      );
    }
  });

  it('SHR-07: leave no working URL of concurrent visitors after sharing is disabled', async () => {
    const ingot_id = await fixture.stored('until it ends');
    const code = await fixture.share(ingot_id);
    const given: string[] = [];
    const visits = many(12, async () => {
      const visit = platform.visit(code, 'files');
      if ((await reasonOf(visit)) === 'none') given.push((await visit).download_url as string);
    });
    await fixture.put(ingot_id, { shared: false });
    await visits;
    const answers = await Promise.all(given.map(async (url) => (await fetch(url)).status));
    expect(answers.filter((status) => status !== 401)).toEqual([]);
    expect(await platform.fetched(code, 'files')).toBe('LINK_REVOKED');
  });

  it('SHR-12: let links created during a replacement open either the whole old content or the whole new one', async () => {
    const ingot_id = await fixture.stored('the old content');
    const { forge_url } = await fixture.replace(ingot_id, { size_bytes: 7 });
    const version = (await fixture.pending(ingot_id)) as string;
    expect(forge_url).toContain('istk=');
    const minted = many(10, () => fixture.link(ingot_id));
    await fixture.activate(ingot_id, version, 7);
    const links = [...(await minted), await fixture.link(ingot_id)];
    const described = await Promise.all(
      links.map(({ link_code }) => platform.visit(link_code, 'link', { describe: true })),
    );
    const sizes = described.map(({ size_bytes }) => size_bytes);
    expect(sizes.at(-1)).toBe(7);
    for (const [i, size] of sizes.entries())
      if (size === 15)
        expect(await platform.fetched(links[i]?.link_code as string, 'link')).toBe('the old content');
    const pinned = sizes.filter((size) => size === 15).length;
    const released = (await fixture.events()).find(
      ({ name, payload }) => name === 'vaults.version-released' && payload['ingot_id'] === ingot_id,
    );
    // The transaction that released the old content saw every link to it.
    expect(released?.payload['kept_until'] !== null).toBe(pinned > 0);
  });

  it('SHR-07: let shares follow the content when files are shared during uploads', async () => {
    const ingots = await many(6, (i) => fixture.stored(`before ${i}`));
    const codes = await Promise.all(
      ingots.map(async (ingot_id, i) => {
        const [code] = await Promise.all([
          fixture.share(ingot_id),
          fixture.overwrite(ingot_id, `after ${i}`),
        ]);
        return code;
      }),
    );
    const contents = await Promise.all(codes.map((code) => platform.fetched(code, 'files')));
    expect(contents).toEqual(codes.map((_, i) => `after ${i}`));
  });

  it('ING-36: leave no link that was created while its ingot was deleted', async () => {
    const ingot_id = await fixture.stored('going');
    const made = many(8, (i) =>
      reasonOf(i % 2 === 0 ? fixture.link(ingot_id) : fixture.put(ingot_id, everyone)),
    );
    await fixture.call(deleteIngot, { params: { vault_id: fixture.vault_id, ingot_id } });
    for (const reason of await made) expect(['none', 'INGOT_NOT_FOUND']).toContain(reason);
    // At once, or by the events if sparks was slow. A link that the deletion missed would remain.
    await until(async () => {
      const { sparklinks } = await fixture.call(listLinks, { query: { type: 'ingot', limit: 100 } });
      return sparklinks.every(({ asset_id }) => asset_id !== ingot_id);
    });
    const rowsOf = (table: string) => platform.sql(`SELECT 1 FROM ${table} WHERE ingot_id = $1`, [ingot_id]);
    for (const table of ['ingot_shares', 'link_keys'])
      await until(async () => (await rowsOf(table)).length === 0);
  });
});
