import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteLink, resolveLinks } from '@vaultsvc/contracts/sparks';
import { deleteIngot } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { accountContext, internalContext, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import {
  startSharingPlatform,
  type SharingFixture,
  type SharingPlatform,
} from '@vaultsvc/tools-testing/file-sharing';
import { visitsTo, type Visits } from '../testing/visits.js';

const files = { domain: 'files' } as const;
const owner = accountContext();
let platform: SharingPlatform;
let fixture: SharingFixture;
let visits: Visits;
beforeAll(async () => {
  platform = await startSharingPlatform({ LOG_LEVEL: 'silent' });
  await stopSchedule(platform.sparks);
  fixture = await platform.newSharingFixture(owner);
  visits = visitsTo(platform.harness);
});
afterAll(() => platform.harness.stop());

interface Published {
  [column: string]: unknown;
  name: string;
  payload: Record<string, unknown>;
}

const eventsOf = (assetId: string) =>
  platform.sparksSql<Published>(
    `SELECT name, payload FROM recorded_events WHERE payload->>'asset_id' = $1 AND name LIKE 'sparks.sparklink-%' ORDER BY seq`,
    [assetId],
  );
const codesIn = async (assetId: string) =>
  (await eventsOf(assetId)).map(({ name, payload }) => [
    name.slice('sparks.sparklink-'.length),
    payload['link_code'],
  ]);
const resolve = async (linkIds: string[], accountId = owner.credential.accountId) => {
  const body = { account_id: accountId, link_ids: linkIds };
  return (await platform.harness.bus.call(resolveLinks, { body }, internalContext())).links;
};
const linkIdOf = async (assetId: string) => String((await eventsOf(assetId))[0]?.payload['link_id']);

describe('LNK-22: the code of a durable link', () => {
  it('is in no event while it opens, and in the event of its end when the share is withdrawn', async () => {
    const ingot = await fixture.stored('a file');
    const code = await fixture.share(ingot);
    for (let times = 0; times < 2; times++) await visits.open(code, {}, files);
    expect(await codesIn(ingot)).toEqual([
      ['created', undefined],
      ['accessed', undefined],
      ['accessed', undefined],
    ]);
    await fixture.put(ingot, { shared: false });
    expect((await codesIn(ingot)).at(-1)).toEqual(['revoked', code]);
  });

  it('is in the event of its end when its code is deleted, its ingot or its vault', async () => {
    const [byCode, withIngot] = [await fixture.stored('one'), await fixture.stored('two')];
    const codes = [await fixture.share(byCode), await fixture.share(withIngot)] as const;
    await fixture.call(deleteLink, { params: { link_code: codes[0] } });
    expect((await codesIn(byCode)).at(-1)).toEqual(['deleted', codes[0]]);
    await fixture.call(deleteIngot, { params: { vault_id: fixture.vault_id, ingot_id: withIngot } });
    expect((await codesIn(withIngot)).at(-1)).toEqual(['deleted', codes[1]]);
  });
});

describe('LNK-22: the code of a link that opens once', () => {
  it('is in the event of its consumption, and in that of its end without one', async () => {
    const ingot = await fixture.stored('a file');
    const [opened, withdrawn] = [await fixture.link(ingot), await fixture.link(ingot)];
    await visits.open(opened.link_code);
    await fixture.call(deleteLink, { params: { link_code: withdrawn.link_code } });
    expect((await codesIn(ingot)).slice(-2)).toEqual([
      ['accessed', opened.link_code],
      ['deleted', withdrawn.link_code],
    ]);
  });
});

describe('sparks.resolve-links', () => {
  it('LNK-22: returns the codes of live and ended links of the account', async () => {
    const [live, ended] = [await fixture.stored('one'), await fixture.stored('two')];
    const codes = [await fixture.share(live), await fixture.share(ended)];
    await fixture.put(ended, { shared: false });
    const ids = [await linkIdOf(live), await linkIdOf(ended)];
    const links = ids.map((link_id, index) => ({ link_id, link_code: codes[index] }));
    const byId = (one: { link_id: string }, other: { link_id: string }) =>
      one.link_id.localeCompare(other.link_id);
    expect((await resolve(ids)).toSorted(byId)).toEqual(links.toSorted(byId));
  });

  it('ENV-41 LNK-22: omits unknown ids and those of another account', async () => {
    const ingot = await fixture.stored('a file');
    await fixture.share(ingot);
    const id = await linkIdOf(ingot);
    expect(await resolve([randomUUID()])).toEqual([]);
    expect(await resolve([id], newId('acc_'))).toEqual([]);
    expect(await reasonOf(resolve(['no uuid']))).toBe('none');
    expect(await resolve([])).toEqual([]);
  });
});
