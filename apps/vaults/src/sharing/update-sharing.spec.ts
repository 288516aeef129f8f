import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createDvak,
  deleteVault,
  inviteToIngot,
  listDvaks,
  openSharedFile,
  resendInvite,
  revokeDvak,
  revokeInvite,
  sealVault,
  updateSharing,
  type SharingChange,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { ConcurrentModification, Database } from '@vaultsvc/database';
import { accountContext, internalContext, reasonOf } from '@vaultsvc/testing/harness';
import { eventually, until } from '@vaultsvc/testing/waiting';
import { ShareKeyRepository } from '../dvak/share-key.repository.js';
import { useSharingPlatform, type SharingFixture } from '../testing/sharing.js';
import { istkOf } from '../testing/uploads.js';
import { ShareRepository, type IngotOfVault } from './share.repository.js';

const platform = useSharingPlatform();
let fixture: SharingFixture;
beforeAll(async () => {
  fixture = await platform.newSharingFixture();
});

const everyone = { shared: true, visibility: 'public' } as const;
const fetched = (code: string) => platform.fetched(code, 'files');
const of = (ingot_id: string, own = fixture) => ({ vault_id: own.vault_id, ingot_id });
const invite = (ingot_id: string, identity: string, own = fixture) =>
  own.call(inviteToIngot, { params: of(ingot_id, own), body: { identity } });
const sharingEvents = async (ingot_id: string, own = fixture) =>
  (await own.events())
    .filter(({ name, payload }) => name.startsWith('vaults.sharing-') && payload['ingot_id'] === ingot_id)
    .map(({ name }) => name);
const notShared = (ingot_id: string) => ({
  ingot_id,
  shared: false,
  visibility: null,
  link_url: null,
  public_url: null,
  link_code: null,
  invites: [],
  updated_at: expect.any(Number),
});
const identityOf = ({ vault_id: vaultId, caller }: SharingFixture) => ({
  vaultId,
  accountId: caller.credential.accountId,
});
const shareKeys = async (own: SharingFixture, status: 'active' | 'revoked' = 'active') => {
  const { dvaks } = await own.call(listDvaks, { params: { vault_id: own.vault_id }, query: { status } });
  return dvaks.filter(({ dvak_type }) => dvak_type === 'system');
};

describe('PUT the sharing of an ingot', () => {
  it('SHR-03 SHR-05 SHR-06 SHR-08: returns the durable link, as GET does afterwards', async () => {
    const ingot_id = await fixture.stored('hello');
    const before = await fixture.get(ingot_id);
    expect(before).toEqual(notShared(ingot_id));
    const shared = await fixture.put(ingot_id, { ...everyone, visibility: 'authenticated' });
    expect(shared).toEqual({
      ingot_id,
      shared: true,
      visibility: 'authenticated',
      link_url: `http://127.0.0.1:8083/${shared.link_code}`,
      public_url: `http://127.0.0.1:8083/${shared.link_code}`,
      link_code: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      invites: [],
      updated_at: expect.any(Number),
    });
    expect(shared.updated_at).toBeGreaterThan(before.updated_at);
    expect(await fixture.get(ingot_id)).toEqual(shared);
    expect(await sharingEvents(ingot_id)).toEqual(['vaults.sharing-enabled']);
  });

  it('SHR-07 TRAP 99: creates a link that can be opened repeatedly until sharing is disabled, and never again', async () => {
    const ingot_id = await fixture.stored('three times', { name: 'Three.txt', content_type: 'text/plain' });
    const code = await fixture.share(ingot_id);
    expect(await platform.visit(code, 'files')).toEqual({
      type: 'file',
      name: 'Three.txt',
      size_bytes: 11,
      modified_at: null,
      content_type: 'text/plain',
      download_url: expect.stringMatching(/\/decrypt\?istk=[\w-]{43}$/),
    });
    for (let i = 0; i < 3; i += 1) expect(await fetched(code)).toBe('three times');
    expect(await fixture.put(ingot_id, { shared: false })).toEqual(notShared(ingot_id));
    expect(await fetched(code)).toBe('LINK_REVOKED');
    expect(await fixture.get(ingot_id)).toEqual(notShared(ingot_id));
    expect(await sharingEvents(ingot_id)).toEqual(['vaults.sharing-enabled', 'vaults.sharing-disabled']);
    const again = await fixture.share(ingot_id);
    expect(again).not.toBe(code);
    expect([await fetched(code), await fetched(again)]).toEqual(['LINK_REVOKED', 'three times']);
  });

  it('SHR-07: ends the URLs that the share gave out and deletes its wraps when sharing is disabled', async () => {
    const ingot_id = await fixture.stored('given out');
    const { download_url } = await platform.visit(await fixture.share(ingot_id), 'files');
    await fixture.put(ingot_id, { shared: false });
    expect((await fetch(download_url as string)).status).toBe(401);
    expect(
      await platform.sql(`SELECT id FROM ingot_versions WHERE ingot_id = $1 AND shared_key IS NOT NULL`, [
        ingot_id,
      ]),
    ).toEqual([]);
  });

  it('OPEN-22: lets visitors read the description without a URL on the origin of files, to which the link origin leads', async () => {
    const ingot_id = await fixture.stored('content', {
      name: 'described.bin',
      original_filename: 'Described.bin',
    });
    const code = await fixture.share(ingot_id);
    const described = await platform.visit(code, 'files', { describe: true });
    expect(described).toEqual({ type: 'file', once: false, name: 'Described.bin', size_bytes: 7 });
    const redirect = { type: 'redirect', url: (await fixture.get(ingot_id)).public_url };
    expect(await platform.visit(code, 'link')).toEqual(redirect);
  });

  it('SHR-02 SHR-03: keeps absent fields other than invites, and does nothing when nothing changes', async () => {
    const ingot_id = await fixture.stored('hello');
    const invites = ['a@x.test'];
    const first = await fixture.put(ingot_id, { ...everyone, visibility: 'invite_only', invites });
    expect(first.invites).toEqual([
      { invite_id: expect.stringMatching(/^inv_/), identity: 'a@x.test', type: 'email' },
    ]);
    const changes: SharingChange[] = [
      { invites },
      { invites: ['A@x.test', 'a@x.test'] },
      { shared: true, invites },
      { visibility: 'invite_only', invites },
    ];
    for (const change of changes) expect(await fixture.put(ingot_id, change)).toEqual(first);
    const second = await fixture.put(ingot_id, { visibility: 'authenticated' });
    expect(second).toEqual({
      ...first,
      visibility: 'authenticated',
      invites: [],
      updated_at: expect.any(Number),
    });
    expect(second.updated_at).toBeGreaterThan(first.updated_at);
    for (const change of [{}, { shared: true }]) expect(await fixture.put(ingot_id, change)).toEqual(second);
    expect(await sharingEvents(ingot_id)).toEqual(['vaults.sharing-enabled']);
    const other = await fixture.stored('hello');
    expect(await fixture.put(other, { visibility: 'public' })).toEqual(notShared(other));
  });

  it.each<SharingChange>([{}, { shared: true }, { visibility: 'invite_only' }, { visibility: 'public' }])(
    'SHR-04: removes all invites without the field: %j',
    async (change) => {
      const ingot_id = await fixture.stored('hello');
      const invites = ['a@x.test', '+4915112345678'];
      await fixture.put(ingot_id, { shared: true, visibility: 'invite_only', invites });
      expect(await fixture.put(ingot_id, change)).toMatchObject({ shared: true, invites: [] });
      expect((await fixture.get(ingot_id)).invites).toEqual([]);
    },
  );

  it.each(['public', 'authenticated'] as const)(
    'AMB-37: rejects invites with visibility %s, with the visibility and after it',
    async (visibility) => {
      const ingot_id = await fixture.stored('hello');
      const named = { invites: ['a@x.test'] };
      const refused = (field: string) => ({
        reason: 'VALIDATION_ERROR',
        details: { fields: [expect.objectContaining({ field })] },
      });
      await expect(fixture.put(ingot_id, { shared: true, visibility, ...named })).rejects.toMatchObject(
        refused('invites'),
      );
      expect(await fixture.get(ingot_id)).toEqual(notShared(ingot_id));
      const share = await fixture.put(ingot_id, { shared: true, visibility: 'invite_only', ...named });
      await expect(fixture.put(ingot_id, { visibility, ...named })).rejects.toMatchObject(refused('invites'));
      expect(await fixture.get(ingot_id)).toEqual(share);
      const changed = await fixture.put(ingot_id, { visibility });
      await expect(fixture.put(ingot_id, named)).rejects.toMatchObject(refused('invites'));
      await expect(invite(ingot_id, 'b@x.test')).rejects.toMatchObject(refused('identity'));
      expect(await fixture.get(ingot_id)).toEqual(changed);
    },
  );

  it('SHR-03: requires a visibility and a content to share', async () => {
    const ingot_id = await fixture.stored('hello');
    await expect(fixture.put(ingot_id, { shared: true })).rejects.toMatchObject({
      reason: 'VALIDATION_ERROR',
      details: { fields: [expect.objectContaining({ field: 'visibility' })] },
    });
    const { ingot_id: pending } = await fixture.create({});
    expect(await reasonOf(fixture.put(pending, everyone))).toBe('INGOT_NOT_READY');
    expect(await fixture.get(pending)).toEqual(notShared(pending));
  });

  it('VAT-08 ING-25 AMB-56 AMB-57: accepts a name; refuses read tokens, managed ingots and other accounts', async () => {
    const ingot_id = await fixture.stored('hello', { name: 'By Name.txt' });
    expect(await fixture.put(':by name.TXT', everyone)).toMatchObject({ ingot_id, shared: true });
    const reader = platform.call(updateSharing, { params: of(ingot_id), body: everyone }, fixture.at('read'));
    expect(await reasonOf(reader)).toBe('VAT_READ_ONLY');
    const managed = await fixture.store({ managedBy: 'portal' });
    for (const call of [fixture.put(managed.ingot_id, everyone), fixture.get(managed.ingot_id)])
      expect(await reasonOf(call)).toBe('INGOT_MANAGED');
    const stranger = { ...accountContext(), vault: fixture.at('read_write').vault };
    const foreign = platform.call(updateSharing, { params: of(ingot_id), body: everyone }, stranger);
    expect(await reasonOf(foreign)).toBe('VAULT_NOT_FOUND');
    expect(await reasonOf(fixture.put(newId('ing_'), everyone))).toBe('INGOT_NOT_FOUND');
  });
});

describe('a durable link', () => {
  it('SHR-07: opens the new content after the file is replaced', async () => {
    const ingot_id = await fixture.stored('old');
    const code = await fixture.share(ingot_id);
    await fixture.overwrite(ingot_id, 'newer');
    expect(await fetched(code)).toBe('newer');
    await fixture.overwrite(ingot_id, 'newest');
    expect(await fetched(code)).toBe('newest');
  });

  it('SHR-07: opens the new content also when the file was shared during its upload', async () => {
    const ingot_id = await fixture.stored('old');
    await fixture.replace(ingot_id, { size_bytes: 5 });
    const code = await fixture.share(ingot_id);
    expect(await fetched(code)).toBe('old');
    const version = (await fixture.pending(ingot_id)) as string;
    const [row] = await platform.sql(`SELECT shared_key FROM ingot_versions WHERE id = $1`, [version]);
    expect(row?.['shared_key']).toHaveLength(129);
    await fixture.activate(ingot_id, version, 5);
    expect(await platform.visit(code, 'files', { describe: true })).toMatchObject({ size_bytes: 5 });
  });

  it('SHR-17 TRAP 100: works while the vault is sealed and no access token exists', async () => {
    const own = await platform.newSharingFixture();
    const ingot_id = await own.stored('sealed');
    const code = await own.share(ingot_id);
    const { download_url } = await platform.visit(code, 'files');
    await own.call(sealVault, { params: { vault_id: own.vault_id } });
    expect(await (await fetch(download_url as string)).text()).toBe('sealed');
    expect(await fetched(code)).toBe('sealed');
    expect(await reasonOf(own.put(ingot_id, { shared: false }))).toBe('AUTHENTICATION_ERROR');
  });

  it('ENV-23 ENV-24: opens only the description, else 402, while its owner has no bandwidth left or no plan', async () => {
    const own = await platform.newSharingFixture();
    const code = await own.share(await own.stored('dear'));
    const account = [own.caller.credential.accountId];
    await until(
      async () =>
        (await platform.reportingSql(`SELECT 1 FROM pools WHERE account_id = $1`, account)).length > 0,
    );
    await platform.reportingSql(`UPDATE pools SET bandwidth_limit = 0 WHERE account_id = $1`, account);
    await expect(platform.visit(code, 'files')).rejects.toMatchObject({
      reason: 'QUOTA_EXCEEDED',
      details: { resource: 'bandwidth', action_required: 'add_bandwidth_block' },
    });
    expect(await platform.visit(code, 'files', { describe: true })).toMatchObject({ size_bytes: 4 });
    await platform.reportingSql(
      `UPDATE pools SET bandwidth_limit = NULL, status = 'none' WHERE account_id = $1`,
      account,
    );
    expect(await reasonOf(platform.visit(code, 'files'))).toBe('PLAN_REQUIRED');
    await platform.reportingSql(`UPDATE pools SET status = 'active' WHERE account_id = $1`, account);
    expect(await fetched(code)).toBe('dear');
  });
});

describe('the rows of a link', () => {
  it('ENV-41 LNK-19: open for its own ingot, vault and account alone, those of a one-time link until it expires', async () => {
    const ingot_id = await fixture.stored('content');
    await fixture.share(ingot_id);
    const { link_code } = await fixture.link(ingot_id);
    const linkIn = async (table: string) => {
      const rows = await platform.sql<{ link_id: string }>(
        `SELECT link_id FROM ${table} WHERE ingot_id = $1`,
        [ingot_id],
      );
      return rows[0]?.link_id as string;
    };
    const durable = { link_id: await linkIn('ingot_shares'), link_code: null };
    const once = { link_id: await linkIn('link_keys'), link_code };
    const { vaultId: vault_id, accountId: account_id } = identityOf(fixture);
    // As sparks calls it, which would refuse such a link itself.
    const described = (link: typeof durable | typeof once, given: object = {}) => {
      const body = { account_id, vault_id, ingot_id, ...link, describe: true, ...given };
      return platform.harness.bus.call(openSharedFile, { body }, internalContext());
    };
    const foreign = [{ ingot_id: newId('ing_') }, { vault_id: newId('vlt_') }, { account_id: newId('acc_') }];
    for (const link of [durable, once]) {
      expect(await described(link)).toMatchObject({ size_bytes: 7 });
      for (const given of foreign) expect(await reasonOf(described(link, given))).toBe('LINK_REVOKED');
    }
    await platform.sql(`UPDATE link_keys SET expires_at = now() WHERE link_id = $1`, [once.link_id]);
    expect(await reasonOf(described(once))).toBe('LINK_REVOKED');
    expect(await described(durable)).toMatchObject({ size_bytes: 7 });
  });

  it('ENV-41 AMB-58 OPEN-12: are found for their own ingot and account alone, and not once the vault is deleted', async () => {
    const own = await platform.newSharingFixture();
    const ingotId = await own.stored('own');
    await own.share(ingotId);
    const { context } = platform.service;
    const [shares, keys] = [context.get(ShareRepository), context.get(ShareKeyRepository)];
    const lock = (ingot: IngotOfVault) =>
      context.get(Database).transaction((tx) => shares.lockIngot(tx, ingot));
    const identity = identityOf(own);
    const foreign = { ...identity, accountId: newId('acc_') };
    for (const other of [
      { ...foreign, ingotId },
      { ...identity, ingotId: newId('ing_') },
    ]) {
      expect(await reasonOf(lock(other))).toBe('INGOT_NOT_FOUND');
      expect(await reasonOf(shares.updatedAt(other))).toBe('INGOT_NOT_FOUND');
    }
    expect([await keys.find(foreign), await keys.find(identity)]).toEqual([undefined, expect.anything()]);
    expect(await reasonOf(shares.assertEnabled(foreign))).toBe('VAULT_NOT_FOUND');
    expect(await reasonOf(shares.assertEnabled(identity))).toBe('none');
    await own.call(deleteVault, { params: { vault_id: own.vault_id } });
    expect(await reasonOf(shares.assertEnabled(identity))).toBe('VAULT_NOT_FOUND');
  });
});

describe('the sharing switch and the share key of a vault', () => {
  it('SHR-01 OPEN-20: when off, refuse new shares and suspend existing ones until it is on again', async () => {
    const own = await platform.newSharingFixture();
    const [shared, other] = [await own.stored('one'), await own.stored('two')];
    const code = await own.share(shared);
    const before = await own.get(shared);
    await own.setSharing(false);
    expect(await reasonOf(own.put(other, everyone))).toBe('SHARING_DISABLED');
    expect(await reasonOf(invite(shared, 'a@x.test', own))).toBe('SHARING_DISABLED');
    expect(await fetched(code)).toBe('LINK_SUSPENDED');
    expect(await own.get(shared)).toEqual(before);
    await own.setSharing(true);
    expect(await fetched(code)).toBe('one');
  });

  it('DVK-13 SHR-17: create one system key for all shares, next to delegated keys, listed without a token', async () => {
    const own = await platform.newSharingFixture();
    const { vault_id, vmk } = own;
    const robot = { vmk, dvak_type: 'nhi', nhi_description: 'a robot' } as const;
    await own.call(createDvak, { params: { vault_id }, body: robot });
    expect(await shareKeys(own)).toEqual([]);
    const ingots = [await own.stored('one'), await own.stored('two'), await own.stored('three')];
    await Promise.all(ingots.map((ingot) => own.share(ingot)));
    expect(await shareKeys(own)).toEqual([
      expect.objectContaining({
        dvak_type: 'system',
        system_purpose: 'sharing',
        access_level: 'read',
        authorized_user_id: null,
        last_4_chars: expect.stringMatching(/^[0-9A-Za-z]{4}$/),
      }),
    ]);
  });

  it('DVK-19: end every share when the key is revoked; a new share creates another key', async () => {
    const own = await platform.newSharingFixture();
    const ingots = [await own.stored('one'), await own.stored('two')];
    const codes = await Promise.all(ingots.map((ingot) => own.share(ingot)));
    const { download_url } = await platform.visit(codes[0] as string, 'files');
    const [key] = await shareKeys(own);
    await own.call(revokeDvak, { params: { vault_id: own.vault_id, last4: key?.last_4_chars as string } });
    for (const code of codes) expect(await fetched(code)).toBe('LINK_REVOKED');
    for (const ingot of ingots) {
      await eventually(
        () => own.get(ingot),
        ({ shared }) => !shared,
      );
      expect(await sharingEvents(ingot, own)).toEqual(['vaults.sharing-enabled', 'vaults.sharing-disabled']);
    }
    const [{ key_id: keyId }] = (await platform.sql<{ key_id: string }>(
      `SELECT id AS key_id FROM dvaks WHERE vault_id = $1`,
      [own.vault_id],
    )) as [{ key_id: string }];
    const { context } = platform.service;
    const late = context.get(Database).transaction((tx) => {
      const ingot = { ...identityOf(own), ingotId: ingots[0] as string };
      return context.get(ShareRepository).create(tx, ingot, { linkId: randomUUID(), keyId });
    });
    await expect(late).rejects.toThrow(ConcurrentModification);
    const istk = [istkOf(download_url as string).lookup];
    await until(async () => {
      const [row] = await platform.forgeSql(`SELECT revoked_at FROM istks WHERE lookup = $1`, istk);
      return row?.['revoked_at'] !== null;
    });
    const again = await own.share(ingots[0] as string);
    expect(await fetched(again)).toBe('one');
    expect([await shareKeys(own), await shareKeys(own, 'revoked')]).toMatchObject([[{}], [{}]]);
  });
});

describe('invites', () => {
  it('SHR-09 SHR-10 SHR-11 OPEN-21: are created, listed, resent and revoked', async () => {
    const ingot_id = await fixture.stored('for some');
    const before = await fixture.put(ingot_id, {
      ...everyone,
      visibility: 'invite_only',
      invites: ['a@x.test'],
    });
    const made = await invite(ingot_id, '+4915112345678');
    expect(made).toEqual({
      invite_id: expect.stringMatching(/^inv_/),
      identity: '+4915112345678',
      type: 'phone',
      created_at: expect.any(Number),
    });
    const { created_at: _, ...shown } = made;
    const after = await fixture.get(ingot_id);
    expect(after).toEqual({
      ...before,
      invites: [...before.invites, shown],
      updated_at: expect.any(Number),
    });
    expect(after.updated_at).toBeGreaterThan(before.updated_at);
    const params = { ...of(ingot_id), invite_id: made.invite_id };
    const owed = () => platform.sparksSql(`SELECT id FROM link_messages WHERE kind = 'invitation'`);
    const sentBefore = (await owed()).length;
    expect(await fixture.call(resendInvite, { params })).toEqual({
      invite_id: made.invite_id,
      resent: true,
      sent_at: expect.any(Number),
    });
    expect(await owed()).toHaveLength(sentBefore + 1);
    expect(await fixture.call(revokeInvite, { params })).toEqual({
      invite_id: made.invite_id,
      revoked: true,
    });
    expect((await fixture.get(ingot_id)).invites).toEqual(before.invites);
    for (const op of [revokeInvite, resendInvite])
      expect(await reasonOf(fixture.call(op, { params }))).toBe('INVITE_NOT_FOUND');
  });

  it('SHR-09: require a shared ingot, and an email address or phone number that is not invited yet', async () => {
    const ingot_id = await fixture.stored('for some');
    expect(await reasonOf(invite(ingot_id, 'a@x.test'))).toBe('INGOT_NOT_SHARED');
    await fixture.put(ingot_id, { ...everyone, visibility: 'invite_only', invites: ['a@x.test'] });
    expect(await reasonOf(invite(ingot_id, 'A@X.test'))).toBe('INVITE_TAKEN');
    for (const identity of ['abc', '0044123456', undefined])
      expect(await reasonOf(invite(ingot_id, identity as string))).toBe('VALIDATION_ERROR');
    const none = { ...of(ingot_id), invite_id: 'junk' };
    expect(await reasonOf(fixture.call(revokeInvite, { params: none }))).toBe('INVITE_NOT_FOUND');
  });
});
