import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { deleteLink, listLinks } from '@vaultsvc/contracts/sparks';
import {
  createIngotLink,
  deleteIngot,
  deleteVault,
  deliverIngotLink,
  describeVersion,
  endLink,
  sealVault,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { mintLinkCode } from '@vaultsvc/crypto/tokens';
import { Database } from '@vaultsvc/database';
import { internalContext, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { RemoveVaults } from '../removal/remove-vaults.job.js';
import { useSharingPlatform, type SharingFixture } from '../testing/sharing.js';
import { DeleteExpiredLinkKeys } from './delete-expired-link-keys.job.js';
import { LinkKeyRepository } from './link-key.repository.js';

const platform = useSharingPlatform();
let fixture: SharingFixture;
beforeAll(async () => {
  await stopSchedule(platform.service);
  fixture = await platform.newSharingFixture();
});

/** Seconds between the expiry set by vaults and the creation time set by sparks. */
const CLOCK_SECONDS_MAX = 10;
const fetched = (code: string) => platform.fetched(code, 'link');
const linkKeys = (ingot_id: string) =>
  platform.sql<{ link_id: string }>(`SELECT link_id FROM link_keys WHERE ingot_id = $1`, [ingot_id]);
const currentVersion = async (ingot_id: string) => {
  const rows = await platform.sql<{ version: string }>(
    `SELECT current_version AS version FROM ingots WHERE id = $1`,
    [ingot_id],
  );
  return rows[0]?.version as string;
};
const listed = async (own: SharingFixture, ingot_id: string) => {
  const { sparklinks } = await own.call(listLinks, { query: { type: 'ingot' } });
  return sparklinks.filter(({ asset_id }) => asset_id === ingot_id);
};

describe('a one-time link of an ingot', () => {
  it('SHR-12 SHR-15 OPEN-21: is created for 24 hours by default, and listed with its ingot and vault', async () => {
    const ingot_id = await fixture.stored('once');
    const link = await fixture.link(ingot_id);
    expect(link).toEqual({
      link_code: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      link_url: `http://127.0.0.1:8082/${link.link_code}`,
      expires_at: expect.any(Number),
      created_at: expect.any(Number),
    });
    expect(Math.abs(link.expires_at - link.created_at - 86_400)).toBeLessThan(CLOCK_SECONDS_MAX);
    const [shown] = await listed(fixture, ingot_id);
    const { vault_id } = fixture;
    expect(shown).toMatchObject({
      ...link,
      link_type: 'ingot',
      asset_id: ingot_id,
      vault_id,
      status: 'active',
    });
  });

  it('SHR-12: lasts from 300 to 86,400 seconds', async () => {
    const ingot_id = await fixture.stored('once');
    for (const seconds of [299, 86_401, 300.5])
      expect(await reasonOf(fixture.link(ingot_id, seconds))).toBe('VALIDATION_ERROR');
    for (const seconds of [300, 86_400]) {
      const { created_at, expires_at } = await fixture.link(ingot_id, seconds);
      expect(Math.abs(expires_at - created_at - seconds)).toBeLessThan(CLOCK_SECONDS_MAX);
    }
  });

  it('SHR-13 TRAP 99: opens the file once; then its key is deleted', async () => {
    const ingot_id = await fixture.stored('only once');
    const { link_code } = await fixture.link(ingot_id);
    expect(await platform.visit(link_code, 'link', { describe: true })).toMatchObject({ size_bytes: 9 });
    expect(await fetched(link_code)).toBe('only once');
    expect(await fetched(link_code)).toBe('LINK_CONSUMED');
    await until(async () => (await linkKeys(ingot_id)).length === 0);
  });

  it('SHR-13: opens the file for one of 20 concurrent visitors', async () => {
    const { link_code } = await fixture.link(await fixture.stored('for one'));
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetched(link_code)));
    expect(answers.filter((answer) => answer === 'for one')).toHaveLength(1);
    expect(new Set(answers)).toEqual(new Set(['for one', 'LINK_CONSUMED']));
  });

  it('SHR-12: opens the content at its creation, also after it was replaced and the vault sealed', async () => {
    const own = await platform.newSharingFixture();
    const ingot_id = await own.stored('then', { name: 'Then.txt' });
    const [one, two] = [await own.link(ingot_id, 300), await own.link(ingot_id, 600)];
    await own.overwrite(ingot_id, 'now');
    const released = (await own.events()).find(({ name }) => name === 'vaults.version-released');
    expect(released?.payload).toMatchObject({ reason: 'replaced', kept_until: two.expires_at });
    const three = await own.link(ingot_id);
    await own.call(sealVault, { params: { vault_id: own.vault_id } });
    expect(await platform.visit(one.link_code, 'link', { describe: true })).toMatchObject({ size_bytes: 4 });
    for (const [link, content] of [
      [one, 'then'],
      [two, 'then'],
      [three, 'now'],
    ] as const)
      expect(await fetched(link.link_code)).toBe(content);
  });

  it('SHR-12 ENV-41: has a key for the current version of its ingot in its vault alone', async () => {
    const [ingotId, other] = [await fixture.stored('a'), await fixture.stored('b')];
    const key = {
      accountId: fixture.caller.credential.accountId,
      vaultId: fixture.vault_id,
      ingotId,
      versionId: await currentVersion(ingotId),
      linkId: randomUUID(),
      name: 'a',
      sizeBytes: 1,
      contentType: 'text/plain',
      wrappedKey: Buffer.alloc(129),
      sealedHash: null,
      modifiedAt: null,
    };
    const { context } = platform.service;
    const insert = (given: object) =>
      context
        .get(Database)
        .transaction((tx) => context.get(LinkKeyRepository).insert(tx, { ...key, ...given }, 300));
    for (const given of [
      { vaultId: newId('vlt_') },
      { ingotId: other },
      { versionId: newId('ver_') },
      { accountId: newId('acc_') },
    ])
      expect(await insert(given)).toBeUndefined();
    expect(await insert({})).toEqual(expect.any(Number));
  });

  it('SHR-12: keeps no content that was replaced after it expired', async () => {
    const own = await platform.newSharingFixture();
    const ingot_id = await own.stored('then');
    await own.link(ingot_id);
    await platform.sql(`UPDATE link_keys SET expires_at = now() WHERE ingot_id = $1`, [ingot_id]);
    await own.overwrite(ingot_id, 'now');
    const released = (await own.events()).find(({ name }) => name === 'vaults.version-released');
    expect(released?.payload).toMatchObject({ reason: 'replaced', kept_until: null });
  });

  it('SHR-16: is independent of the durable share of its ingot', async () => {
    const own = await platform.newSharingFixture();
    const ingot_id = await own.stored('both');
    const durable = await own.share(ingot_id);
    const [one, two] = [await own.link(ingot_id), await own.link(ingot_id)];
    expect(await fetched(one.link_code)).toBe('both');
    expect(await platform.fetched(durable, 'files')).toBe('both');
    await own.put(ingot_id, { shared: false });
    expect(await fetched(two.link_code)).toBe('both');
    await own.setSharing(false);
    expect(await fetched((await own.link(ingot_id)).link_code)).toBe('both');
  });

  it('VAT-08 AMB-57: requires a token that may write and a file with content', async () => {
    const { ingot_id } = await fixture.create({});
    expect(await reasonOf(fixture.link(ingot_id))).toBe('INGOT_NOT_READY');
    const params = { vault_id: fixture.vault_id, ingot_id: await fixture.stored('hello') };
    const reader = platform.call(createIngotLink, { params, body: {} }, fixture.at('read'));
    expect(await reasonOf(reader)).toBe('VAT_READ_ONLY');
    const { ingot_id: managed } = await fixture.store({ managedBy: 'portal' });
    expect(await reasonOf(fixture.link(managed))).toBe('INGOT_MANAGED');
  });

  it('SHR-14 OPEN-21: is delivered to an email address or phone number, through its own ingot only', async () => {
    const ingot_id = await fixture.stored('hello');
    const { link_code } = await fixture.link(ingot_id);
    const deliver = (identity: string, code = link_code, ingot = ingot_id) =>
      fixture.call(deliverIngotLink, {
        params: { vault_id: fixture.vault_id, ingot_id: ingot, code },
        body: { identity },
      });
    for (const identity of ['abc', '0044123456'])
      expect(await reasonOf(deliver(identity))).toBe('VALIDATION_ERROR');
    const owed = () => platform.sparksSql(`SELECT id FROM link_messages WHERE kind = 'delivery'`);
    const before = (await owed()).length;
    for (const identity of ['a@x.test', '+4915112345678'])
      expect(await deliver(identity)).toEqual({
        link_code,
        identity,
        delivered: true,
        delivered_at: expect.any(Number),
      });
    expect(await owed()).toHaveLength(before + 2);
    expect(await reasonOf(deliver('a@x.test', mintLinkCode()))).toBe('SPARKLINK_NOT_FOUND');
    expect(await reasonOf(deliver('a@x.test', link_code, await fixture.stored('other')))).toBe(
      'SPARKLINK_NOT_FOUND',
    );
  });

  it('loses its key when it expires', async () => {
    const ingot_id = await fixture.stored('late');
    await fixture.link(ingot_id);
    await fixture.link(ingot_id);
    const [late] = await linkKeys(ingot_id);
    await platform.sql(`UPDATE link_keys SET expires_at = now() WHERE link_id = $1`, [late?.link_id]);
    await platform.service.context.get(DeleteExpiredLinkKeys).run();
    expect(await linkKeys(ingot_id)).toHaveLength(1);
  });
});

describe('the description of the version that an opener signs', () => {
  it('NTF-10 ENV-41: is of a file with content in this vault of the account, until the vault is deleted', async () => {
    const own = await platform.newSharingFixture();
    const { vault_id, caller } = own;
    const ingot_id = await own.stored('signed');
    const described = (given: object = {}) => {
      const body = { account_id: caller.credential.accountId, vault_id, ingot_id, ...given };
      return platform.harness.bus.call(describeVersion, { body }, internalContext());
    };
    expect(await described()).toEqual({ version_id: await currentVersion(ingot_id), size_bytes: 6 });
    const { ingot_id: pending } = await own.create({});
    for (const given of [
      { account_id: newId('acc_') },
      { vault_id: newId('vlt_') },
      { ingot_id: pending },
      { ingot_id: newId('ing_') },
    ])
      expect(await reasonOf(described(given))).toBe('INGOT_NOT_FOUND');
    await own.call(deleteVault, { params: { vault_id } });
    expect(await reasonOf(described())).toBe('INGOT_NOT_FOUND');
  });
});

describe('ending links', () => {
  it('AMB-36: closes a link that is deleted by its code, and ends the share of a durable link', async () => {
    const own = await platform.newSharingFixture();
    const ingot_id = await own.stored('withdrawn');
    const durable = await own.share(ingot_id);
    const { link_code } = await own.link(ingot_id);
    const { download_url } = await platform.visit(durable, 'files');
    for (const code of [durable, link_code]) await own.call(deleteLink, { params: { link_code: code } });
    expect([await platform.fetched(durable, 'files'), await fetched(link_code)]).toEqual([
      'LINK_REVOKED',
      'LINK_REVOKED',
    ]);
    expect((await fetch(download_url as string)).status).toBe(401);
    expect(await linkKeys(ingot_id)).toEqual([]);
    expect(await own.get(ingot_id)).toMatchObject({ shared: false, link_code: null });
    expect(await platform.sql(`SELECT ingot_id FROM ingot_shares WHERE ingot_id = $1`, [ingot_id])).toEqual(
      [],
    );
    expect(await own.share(ingot_id)).not.toBe(durable);
  });

  it('cannot be requested for another account', async () => {
    const ingot_id = await fixture.stored('not theirs');
    const { link_code } = await fixture.link(ingot_id);
    const [{ link_id }] = (await linkKeys(ingot_id)) as [{ link_id: string }];
    const body = { account_id: newId('acc_'), vault_id: fixture.vault_id, ingot_id, link_id };
    await platform.harness.bus.call(endLink, { body }, internalContext());
    expect(await fetched(link_code)).toBe('not theirs');
  });

  it('ING-36: does not deadlock with the deletion of the ingot', async () => {
    const ingot_id = await fixture.stored('withdrawn and deleted');
    await fixture.link(ingot_id);
    const [{ link_id }] = (await linkKeys(ingot_id)) as [{ link_id: string }];
    const { accountId: account_id } = fixture.caller.credential;
    const body = { account_id, vault_id: fixture.vault_id, ingot_id, link_id };
    const deletion = await platform.service.context.get(Database).connect();
    await deletion.query('BEGIN');
    await deletion.query('SELECT FROM ingots WHERE id = $1 FOR UPDATE', [ingot_id]);
    const ended = reasonOf(platform.harness.bus.call(endLink, { body }, internalContext()));
    await until(async () => {
      const [row] = await platform.sql<{ count: number }>(
        `SELECT count(*) AS count FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ '^SELECT id FROM .*(ingots|vaults) '`,
      );
      return Number(row?.count) > 0; // for the vault, which an event of the upload has locked while it waits for the ingot
    });
    await deletion.query('DELETE FROM link_keys WHERE ingot_id = $1', [ingot_id]);
    await deletion.query('COMMIT');
    deletion.release();
    expect(await ended).toBe('none');
    expect(await linkKeys(ingot_id)).toEqual([]);
  });

  it('ING-36: includes all links of a deleted ingot', async () => {
    const own = await platform.newSharingFixture();
    const ingot_id = await own.stored('deleted');
    const durable = await own.share(ingot_id);
    const { link_code } = await own.link(ingot_id);
    const { download_url } = await platform.visit(durable, 'files');
    await own.call(deleteIngot, { params: { vault_id: own.vault_id, ingot_id } });
    expect(await platform.fetched(durable, 'files')).toBe('LINK_NOT_FOUND');
    expect(await fetched(link_code)).toBe('LINK_NOT_FOUND');
    expect((await fetch(download_url as string)).status).toBe(401);
    expect(await listed(own, ingot_id)).toEqual([]);
    expect(await linkKeys(ingot_id)).toEqual([]);
  });

  it('VLT-24: includes all links of a deleted vault', async () => {
    const own = await platform.newSharingFixture();
    const ingot_id = await own.stored('deleted');
    const durable = await own.share(ingot_id);
    const { link_code } = await own.link(ingot_id);
    await own.call(deleteVault, { params: { vault_id: own.vault_id } });
    expect(await platform.fetched(durable, 'files')).toBe('LINK_NOT_FOUND');
    expect(await fetched(link_code)).toBe('LINK_NOT_FOUND');
    for (const table of ['ingot_shares', 'link_keys'])
      expect(await platform.sql(`SELECT 1 FROM ${table} WHERE vault_id = $1`, [own.vault_id])).toEqual([]);
    // Events of sparks and forge may have locked the rows; a later run of the job deletes them.
    await until(async () => {
      await platform.service.context.get(RemoveVaults).run();
      return (await platform.sql(`SELECT id FROM vaults WHERE id = $1`, [own.vault_id])).length === 0;
    });
  });
});
