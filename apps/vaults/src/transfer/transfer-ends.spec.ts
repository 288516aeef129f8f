import { describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import { removeUser } from '@vaultsvc/contracts/auth';
import {
  createDvak,
  createIngot,
  deleteVault,
  downloadIngot,
  revokeDvak,
  sealVault,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, statement } from '@vaultsvc/database';
import { accountContext, reasonOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { mintSession, newAccount } from '@vaultsvc/tools-testing/accounts';
import { istkOf, useUploadPlatform, type UploadFixture } from '../testing/uploads.js';

const platform = useUploadPlatform();

const isAlive = async (url: string) => {
  const [row] = await platform.forgeSql<{ revoked_at: Date | null }>(
    `SELECT revoked_at FROM istks WHERE lookup = $1`,
    [istkOf(url).lookup],
  );
  return row?.revoked_at === null;
};
const alive = (urls: readonly string[]) => Promise.all(urls.map(isAlive));
const seal = (fixture: UploadFixture) => fixture.call(sealVault, { params: { vault_id: fixture.vault_id } });

/** A delegated key, and a download and an upload that were issued through it. */
async function delegated(fixture: UploadFixture, ingot_id: string, user?: AccountContext) {
  const { vault_id, vmk, caller } = fixture;
  const whom = user
    ? ({ dvak_type: 'user', authorized_user_id: user.credential.userId as string } as const)
    : ({ dvak_type: 'nhi', nhi_description: 'robot' } as const);
  const dvak = await platform.call(createDvak, { params: { vault_id }, body: { vmk, ...whom } }, caller);
  const holder = user ?? caller;
  const { vat } = await platform.unseal(vault_id, { dvak_token: dvak.dvak_token }, holder);
  const context = { ...holder, vault: { token: vat, accessLevel: 'read_write' } } as const;
  const { download_url } = await platform.call(
    downloadIngot,
    { params: { vault_id, ingot_id }, body: { stream: true } },
    context,
  );
  const upload = await platform.call(
    createIngot,
    { params: { vault_id }, body: { name: newId('file_'), size_bytes: 1_000 } },
    context,
  );
  return { last4: dvak.last_4_chars, download_url, upload };
}

describe('transfers that forge has revoked when the caller is answered', () => {
  it('VLT-22: are, by a seal, all downloads of the vault, single-use and streaming; not its uploads, nor other vaults', async () => {
    const [fixture, other] = [await platform.newVaultFixture(), await platform.newVaultFixture()];
    const [mine, theirs] = [await fixture.filled(), await other.filled()];
    const downloads = [await fixture.download(mine), await fixture.download(mine, { stream: true })];
    const upload = await fixture.replace(mine, {});
    const foreign = await other.download(theirs);
    await seal(fixture);
    expect(await alive(downloads.map(({ download_url }) => download_url))).toEqual([false, false]);
    expect(await alive([upload.forge_url, foreign.download_url])).toEqual([true, true]);
  });

  it('VLT-22: are, by a seal, none that were issued after the seal before it', async () => {
    const fixture = await platform.newVaultFixture();
    const ingot_id = await fixture.filled();
    await seal(fixture);
    const { vat } = await platform.unseal(fixture.vault_id, { vmk: fixture.vmk }, fixture.caller);
    const context = { ...fixture.caller, vault: { token: vat, accessLevel: 'read_write' } } as const;
    const params = { vault_id: fixture.vault_id, ingot_id };
    const { download_url } = await platform.call(downloadIngot, { params, body: {} }, context);
    expect(await isAlive(download_url)).toBe(true);
    await seal(fixture);
    expect(await isAlive(download_url)).toBe(false);
  });

  it('VAT-11 DVK-19: are, by the revocation of a delegated key, the downloads and the unused uploads issued through it, and no others', async () => {
    const fixture = await platform.newVaultFixture();
    const ingot_id = await fixture.filled();
    const [one, another] = [await delegated(fixture, ingot_id), await delegated(fixture, ingot_id)];
    const own = await fixture.download(ingot_id);
    await fixture.call(revokeDvak, { params: { vault_id: fixture.vault_id, last4: one.last4 } });
    expect(await alive([one.download_url, another.download_url, own.download_url])).toEqual([
      false,
      true,
      true,
    ]);
    expect(await alive([one.upload.forge_url, another.upload.forge_url])).toEqual([false, true]);
    await eventually(
      () => fixture.pending(one.upload.ingot_id),
      (version) => version === null,
    );
    expect(await fixture.pending(another.upload.ingot_id)).not.toBeNull();
  });

  it('are, by the deletion of a vault, all downloads and all uploads that have not started', async () => {
    const fixture = await platform.newVaultFixture();
    const ingot_id = await fixture.filled();
    const urls = [(await fixture.download(ingot_id)).download_url, (await fixture.create({})).forge_url];
    await fixture.call(deleteVault, { params: { vault_id: fixture.vault_id } });
    expect(await alive(urls)).toEqual([false, false]);
  });
});

describe('DVK-19: the removal of a user', () => {
  it('revokes the URLs that were issued to the user, by a delegated key or the master key, and no others', async () => {
    const { accountId } = await newAccount(platform.auth);
    const { subject: userId } = await mintSession(platform.auth, { accountId, role: 'member' });
    const user = accountContext({ kind: 'session', role: 'member', accountId, userId });
    const fixture = await platform.newVaultFixture(accountContext({ accountId }));
    const ingot_id = await fixture.filled();
    const { vat } = await platform.unseal(fixture.vault_id, { vmk: fixture.vmk }, user);
    const byMaster = { ...user, vault: { token: vat, accessLevel: 'read_write' } } as const;
    const params = { vault_id: fixture.vault_id, ingot_id };
    const theirs = [
      (await delegated(fixture, ingot_id, user)).download_url,
      (await platform.call(downloadIngot, { params, body: {} }, byMaster)).download_url,
      (await fixture.create({}, byMaster)).forge_url,
    ];
    const others = [(await fixture.download(ingot_id)).download_url, (await fixture.create({})).forge_url];
    await platform.harness.bus.call(removeUser, { params: { user_id: userId } }, fixture.caller);
    await eventually(
      () => alive(theirs),
      (found) => found.every((isTheirsAlive) => !isTheirsAlive),
    );
    expect(await alive(others)).toEqual([true, true]);
  });
});

describe('VLT-22: a seal while an upload and a download are being prepared', () => {
  it('refuses both, although their token was valid when they started', async () => {
    const fixture = await platform.newVaultFixture();
    const ingot_id = await fixture.filled();
    const database = platform.service.context.get(Database);
    const answers = await database.transaction(async (tx) => {
      await tx.query(lockIngots); // blocks them, but not the seal
      const opening = [fixture.download(ingot_id), fixture.replace(ingot_id, {}), fixture.create({})].map(
        reasonOf,
      );
      await eventually(
        async () => (await tx.query(findWaiting)).length,
        (waiting) => waiting >= 3, // consumers of earlier events may wait too
      );
      await seal(fixture);
      return opening;
    });
    expect(await Promise.all(answers)).toEqual(Array(3).fill('AUTHENTICATION_ERROR'));
  });

  const lockIngots = statement('test.lock-ingots', `LOCK TABLE ingots IN ACCESS EXCLUSIVE MODE`);
  const findWaiting = statement(
    'test.find-waiting',
    `SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'ingots'::regclass`,
  );
});

describe('VLT-22: a seal concurrent with downloads', () => {
  it('leaves no valid URL: a download is refused, or revoked when the seal is answered', async () => {
    let given = 0;
    for (let round = 0; round < 10; round += 1) {
      const fixture = await platform.newVaultFixture();
      const ingot_id = await fixture.filled();
      const answers = Array.from({ length: 10 }, () =>
        fixture.download(ingot_id).then(
          ({ download_url }) => download_url,
          () => null,
        ),
      );
      await Promise.all(answers.slice(0, round)); // the seal comes early and late
      const sealing = seal(fixture);
      const urls = (await Promise.all(answers)).filter((url) => url !== null);
      await sealing;
      expect(await alive(urls)).toEqual(urls.map(() => false));
      given += urls.length;
    }
    expect(given).toBeGreaterThan(0);
  });
});
