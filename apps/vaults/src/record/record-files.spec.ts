import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import {
  createDvak,
  deleteRecordFile,
  downloadRecordFile,
  listFolderFiles,
  locateRecordFile,
  openRecordFolder,
  sealVault,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { reasonOf } from '@vaultsvc/testing/harness';
import { readContent, sendContent, useUploadPlatform, type UploadFixture } from '../testing/uploads.js';

const platform = useUploadPlatform();
let fixture: UploadFixture;
let folder_id: string;
beforeAll(async () => {
  fixture = await platform.newVaultFixture();
  folder_id = await fixture.folder();
});

const access = (reference: string, given: object = {}) => ({
  vault_id: fixture.vault_id,
  vat: fixture.vat,
  folder_id,
  reference,
  ...given,
});
const operations = {
  locate: (reference: string, given: object = {}, context: AccountContext = fixture.caller) =>
    platform.harness.bus.call(
      locateRecordFile,
      { body: { level: 'read' as const, ...access(reference, given) } },
      context,
    ),
  download: (reference: string, given: object = {}, context: AccountContext = fixture.caller) =>
    platform.harness.bus.call(downloadRecordFile, { body: access(reference, given) }, context),
  delete: (reference: string, given: object = {}, context: AccountContext = fixture.caller) =>
    platform.harness.bus.call(deleteRecordFile, { body: access(reference, given) }, context),
};
const all = Object.values(operations);

describe('a file of a record', () => {
  it('CRA-07: is downloaded by its id or its name, of several files of this name the one in the folder', async () => {
    const content = Buffer.from('of this record');
    const { ingot_id, forge_url } = await fixture.create({
      name: 'Report.txt',
      size_bytes: content.length,
      folder_id,
    });
    await sendContent(forge_url, content);
    await fixture.filled({ name: 'report.txt', folder_id: await fixture.folder() });
    for (const reference of [ingot_id, ':report.TXT']) {
      expect(await operations.locate(reference)).toEqual({ ingot_id, access_level: 'read_write' });
      const { download_url, ...answer } = await operations.download(reference);
      expect(answer).toEqual({ expires_at: expect.any(Number) });
      expect(await readContent(download_url)).toEqual({ status: 200, bytes: content });
    }
  });

  it('CRA-08 CRB-05: is unknown in another folder, in none, and under a reference that names nothing', async () => {
    const ingot_id = await fixture.filled({ folder_id });
    const other = await fixture.filled({ name: 'other.txt', folder_id: await fixture.folder() });
    for (const operation of all) {
      for (const reference of [other, ':other.txt', newId('ing_'), '', ':', ':\0', 'other.txt'])
        expect(await reasonOf(operation(reference))).toBe('INGOT_NOT_FOUND');
      for (const elsewhere of [null, newId('fld_')])
        expect(await reasonOf(operation(ingot_id, { folder_id: elsewhere }))).toBe('INGOT_NOT_FOUND');
    }
  });

  it('AMB-56: is refused when a product manages it', async () => {
    const managed = await fixture.store({ managedBy: 'somebody', folderId: folder_id });
    for (const operation of all) expect(await reasonOf(operation(managed.ingot_id))).toBe('INGOT_MANAGED');
  });

  it('AMB-13: is looked for after the token is verified, and its pools and state are after that', async () => {
    const own = await platform.newVaultFixture();
    const place = { vault_id: own.vault_id, vat: own.vat, folder_id: await own.folder() };
    const { vmk, vault_id } = own;
    const body = { vmk, dvak_type: 'nhi', nhi_description: 'reader', access_level: 'read' } as const;
    const { dvak_token } = await own.call(createDvak, { params: { vault_id }, body });
    const { vat } = await platform.unseal(vault_id, { dvak_token }, own.caller);
    expect(await reasonOf(operations.delete(newId('ing_'), { ...place, vat }, own.caller))).toBe(
      'VAT_READ_ONLY',
    );
    for (const operation of all) {
      const foreign = { ...place, vat: fixture.vat };
      expect(await reasonOf(operation(newId('ing_'), foreign, own.caller))).toBe('VAT_OUT_OF_SCOPE');
    }
    const { ingot_id } = await own.create({ folder_id: place.folder_id });
    const poor = { ...own.caller, pools: { plan: 'active' as const, exhausted: ['bandwidth' as const] } };
    expect(await reasonOf(operations.download(newId('ing_'), place, poor))).toBe('INGOT_NOT_FOUND');
    expect(await reasonOf(operations.download(ingot_id, place, poor))).toBe('QUOTA_EXCEEDED');
    expect(await reasonOf(operations.download(ingot_id, place, own.caller))).toBe('INGOT_NOT_READY');
    expect(await reasonOf(operations.delete(ingot_id, place, own.caller))).toBe('INGOT_UPLOADING');
    await own.call(sealVault, { params: { vault_id } });
    for (const operation of all)
      expect(await reasonOf(operation(ingot_id, place, own.caller))).toBe('AUTHENTICATION_ERROR');
  });

  it('CRA-09: is deleted', async () => {
    const ingot_id = await fixture.filled({ folder_id });
    expect(await operations.delete(ingot_id)).toEqual({ ingot_id });
    for (const operation of all) expect(await reasonOf(operation(ingot_id))).toBe('INGOT_NOT_FOUND');
  });
});

describe('the folder of a record', () => {
  const open = (body: object) =>
    platform.harness.bus.call(
      openRecordFolder,
      {
        body: {
          vault_id: fixture.vault_id,
          folder_id: newId('fld_'),
          parent: 'CRM',
          name: 'contact 1',
          ...body,
        },
      },
      fixture.caller,
    );
  const named = (name: string) =>
    platform.sql<{ id: string }>(`SELECT id FROM folders WHERE vault_id = $1 AND name = $2`, [
      fixture.vault_id,
      name,
    ]);

  it('CRA-04: is created once under its id, by however many calls, and not found by its name', async () => {
    const first = newId('fld_');
    await Promise.all(Array.from({ length: 10 }, () => open({ folder_id: first })));
    expect(await named('contact 1')).toEqual([{ id: first }]);
    const second = newId('fld_');
    await open({ folder_id: second, name: 'CONTACT 1' });
    expect(await named('CONTACT 1 (2)')).toEqual([{ id: second }]);
    await open({ folder_id: second, name: 'anything' });
    expect(await named('anything')).toEqual([]);
    expect(await named('CRM')).toHaveLength(1);
    const elsewhere = newId('fld_');
    await open({ folder_id: elsewhere, parent: 'Other CRM' });
    expect((await named('contact 1')).map(({ id }) => id)).toEqual(
      expect.arrayContaining([first, elsewhere]),
    );
  });

  it('CRA-05: has the files in it, by name, and neither those of other folders nor managed ones', async () => {
    const own = await fixture.folder();
    const place = { folderId: own };
    const second = await fixture.store({ ...place, name: 'B.txt' });
    const first = await fixture.store({ ...place, name: 'a.txt' });
    await fixture.store({ ...place, name: 'managed', managedBy: 'structured-ingots' });
    await fixture.store({ name: 'c.txt', folderId: await fixture.folder() });
    await fixture.store({ name: 'at the root.txt' });
    const body = { vault_id: fixture.vault_id, folder_id: own };
    const { files } = await platform.harness.bus.call(listFolderFiles, { body }, fixture.caller);
    expect(files.map(({ ingot_id }) => ingot_id)).toEqual([first.ingot_id, second.ingot_id]);
  });

  it('CRA-05: has no files before it exists, and is unknown in the vault of another account', async () => {
    const list = (body: { vault_id: string; folder_id: string | null }) =>
      platform.harness.bus.call(listFolderFiles, { body }, fixture.caller);
    for (const id of [null, newId('fld_')])
      expect(await list({ vault_id: fixture.vault_id, folder_id: id })).toEqual({ files: [] });
    const { vault_id } = await platform.newVaultFixture();
    expect(await reasonOf(list({ vault_id, folder_id: null }))).toBe('VAULT_NOT_FOUND');
    expect(await reasonOf(open({ vault_id }))).toBe('VAULT_NOT_FOUND');
  });
});
