import { beforeAll, describe, expect, it } from '@jest/globals';
import { AppError, type AccountContext } from '@vaultsvc/contracts';
import {
  createDvak,
  deleteFolder,
  downloadIngot,
  INGOT_BYTES_MAX,
  listFolders,
  replaceIngot,
  sealVault,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { unwrapFileKey } from '@vaultsvc/crypto/container';
import { accountContext, reasonOf, rowsOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { mintApiKey, newAccount } from '@vaultsvc/tools-testing/accounts';
import { istkOf, useUploadPlatform, type UploadFixture } from '../testing/uploads.js';

const platform = useUploadPlatform();
let fixture: UploadFixture;
beforeAll(async () => {
  fixture = await platform.newVaultFixture();
});

type Row = Record<string, unknown>;

const nowSeconds = () => Math.floor(Date.now() / 1_000);
const ingotsOf = ({ vault_id }: UploadFixture) =>
  platform.sql<Row>(`SELECT * FROM ingots WHERE vault_id = $1 ORDER BY created_at`, [vault_id]);
const ingot = async (id: string) =>
  (await platform.sql<Row>(`SELECT * FROM ingots WHERE id = $1`, [id]))[0] as Row;
const versionsOf = (ingotId: string) =>
  platform.sql<Row>(`SELECT * FROM ingot_versions WHERE ingot_id = $1`, [ingotId]);
const reservations = ({ caller }: UploadFixture) =>
  platform.reportingSql<{ id: string; bytes: number; status: string }>(
    `SELECT id, bytes, status FROM reservations WHERE account_id = $1 ORDER BY bytes`,
    [caller.credential.accountId],
  );
const nothingKept = (of: UploadFixture) =>
  eventually(
    () => reservations(of),
    (rows) => rows.every(({ status }) => status === 'closed'),
  );

describe('creating an ingot', () => {
  it('ING-03 ING-09 ING-10 ING-42: returns the ingot, and a URL with an ISTK for 24 hours', async () => {
    const answer = await fixture.create({ name: 'Report.PDF', size_bytes: 42 });
    expect(answer).toEqual({
      ingot_id: expect.stringMatching(/^ing_[0-9A-Za-z]{22}$/),
      name: 'Report.PDF',
      size_bytes: 42,
      content_type: 'application/octet-stream',
      status: 'uploading',
      forge_url: expect.stringMatching(/\/encrypt\?istk=[A-Za-z0-9_-]{43}$/),
      expires_at: expect.any(Number),
    });
    expect(answer.forge_url.startsWith(`${platform.forgeUrl}/`)).toBe(true);
    expect(Math.abs(answer.expires_at - nowSeconds() - 86_400)).toBeLessThan(5);
    expect(await ingot(answer.ingot_id)).toMatchObject({
      folder_id: null,
      file_type: 'document',
      content_type: 'application/octet-stream',
      original_filename: null,
      size_bytes: 42,
      status: 'uploading',
      current_version: null,
    });
  });

  it('ING-04 ING-10: passes to forge the metadata of the upload, and only the hash of the ISTK', async () => {
    const body = { size_bytes: 7, content_type: 'image/png', original_filename: 'Cat "1".png' };
    const { ingot_id, forge_url, expires_at } = await fixture.create(body);
    const { lookup } = istkOf(forge_url);
    const [row] = await platform.forgeSql<Row>(
      `SELECT *, floor(extract(epoch FROM expires_at))::bigint AS expires FROM istks WHERE ingot_id = $1`,
      [ingot_id],
    );
    expect(row).toMatchObject({ lookup, operation: 'encrypt', mode: 'once', expires: expires_at });
    expect(row).toMatchObject({ version_id: await fixture.pending(ingot_id), bytes_max: 7, size_bytes: 7 });
    expect(row).toMatchObject({ content_type: 'image/png', filename: 'Cat "1".png', seal_epoch: 0 });
  });

  it('wraps one file key under the vault key and under the ISTK, and draws another one for each version', async () => {
    const vaultKey = await fixture.vaultKey();
    const keys = new Set<string>();
    for (const name of ['one', 'two', 'one']) {
      const { ingot_id, forge_url, expires_at } = await fixture.create({ name });
      const [version] = await versionsOf(ingot_id);
      const { accountId } = fixture.caller.credential;
      const file = {
        accountId,
        vaultId: fixture.vault_id,
        ingotId: ingot_id,
        versionId: version?.id as string,
      };
      const { bytes, lookup } = istkOf(forge_url);
      const [row] = await platform.forgeSql<{ wrapped_key: Buffer }>(
        `SELECT wrapped_key FROM istks WHERE lookup = $1`,
        [lookup],
      );
      const terms = { operation: 'encrypt', mode: 'once', bytesMax: 1_000, expiresAt: expires_at } as const;
      const byIstk = unwrapFileKey(bytes, file, { holder: 'istk', terms }, row?.wrapped_key as Buffer);
      expect(unwrapFileKey(vaultKey, file, { holder: 'vk' }, version?.wrapped_key as Buffer)).toEqual(byIstk);
      keys.add(byIstk.toString('hex'));
    }
    expect(keys.size).toBe(3);
  });

  it('ING-17: stores the address of the user or the name of the API key as source; an upsert keeps it', async () => {
    const account = await newAccount(platform.auth);
    const apiKey = await mintApiKey(platform.auth, { accountId: account.accountId });
    const user = accountContext({ kind: 'session', role: 'owner', ...account });
    const own = await platform.newVaultFixture(user);
    const { ingot_id } = await own.create({ name: 'a' });
    expect((await ingot(ingot_id)).upload_source).toBe(account.email);
    const program = { ...apiKey.context, vault: own.at('read_write').vault };
    await own.create({ name: 'A' }, program);
    expect((await ingot(ingot_id)).upload_source).toBe(account.email);
    const byKey = await own.create({ name: 'b' }, program);
    const [key] = await rowsOf(platform.auth, `SELECT name FROM api_keys WHERE id = $1`, [apiKey.apiKeyId]);
    expect((await ingot(byKey.ingot_id)).upload_source).toBe(key?.name);
  });

  it("ING-17 OPEN-28: stores the integration and the provider's person as source, not the installer", async () => {
    const account = await newAccount(platform.auth);
    const actor = { kind: 'app', id: 'crma', app: 'crma', portal: '62515', person: '4242' } as const;
    const own = await platform.newVaultFixture(
      accountContext({ kind: 'session', role: 'owner', ...account, actor }),
    );
    const { ingot_id } = await own.create({ name: 'a' });
    expect((await ingot(ingot_id)).upload_source).toBe('crma 4242');
  });
});

describe('input of creating an ingot', () => {
  const refused = (body: object) => reasonOf(fixture.create(body));

  it('ING-01: requires a name of 1 to 255 characters', async () => {
    for (const name of [undefined, '', 'n'.repeat(256), 7])
      expect(await refused({ name })).toBe('VALIDATION_ERROR');
    expect((await fixture.create({ name: 'ä'.repeat(255) })).name).toBe('ä'.repeat(255));
  });

  it('ING-02: requires an integer size from 1 to 5,497,558,138,880, beyond 32 bits', async () => {
    for (const size_bytes of [undefined, 0, -1, 1.5, '5', INGOT_BYTES_MAX + 1])
      expect(await refused({ size_bytes })).toBe('VALIDATION_ERROR');
    const own = await platform.newVaultFixture();
    const { ingot_id, size_bytes } = await own.create({ size_bytes: INGOT_BYTES_MAX });
    expect([size_bytes, (await ingot(ingot_id)).size_bytes]).toEqual([INGOT_BYTES_MAX, INGOT_BYTES_MAX]);
  });

  it('ING-03: accepts a content type without control characters; an invalid media type is served as octet-stream', async () => {
    for (const content_type of ['', ' ', 'text/plain\r\nX: y', 'a\0', 'x'.repeat(256), 7])
      expect(await refused({ content_type })).toBe('VALIDATION_ERROR');
    expect((await fixture.create({ content_type: 'a song' })).content_type).toBe('a song');
  });

  it('ING-05: accepts a folder of this vault; null or an absent folder is the root', async () => {
    const folder_id = await fixture.folder();
    expect((await ingot((await fixture.create({ folder_id })).ingot_id)).folder_id).toBe(folder_id);
    expect((await ingot((await fixture.create({ folder_id: null })).ingot_id)).folder_id).toBeNull();
    const foreign = await (await platform.newVaultFixture(fixture.caller)).folder();
    for (const unknown of [newId('fld_'), foreign])
      expect(await refused({ folder_id: unknown })).toBe('FOLDER_NOT_FOUND');
    expect(await refused({ folder_id: 'fld_1' })).toBe('VALIDATION_ERROR');
  });

  it('ING-06: accepts a path, and finds or creates its folders from the root, also in concurrent calls', async () => {
    const own = await platform.newVaultFixture();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        own.create({ name: `f${i}`, folder_path: i % 2 ? 'a/B' : '/A/b' }),
      ),
    );
    const places = await Promise.all(answers.map(async ({ ingot_id }) => (await ingot(ingot_id)).folder_id));
    expect(new Set(places).size).toBe(1);
    const { folders } = await own.call(listFolders, { params: { vault_id: own.vault_id }, query: {} });
    expect(folders.map(({ path }) => path.toLowerCase()).sort()).toEqual(['a', 'a/b']);
    for (const folder_path of ['a/b', '/a/b'])
      expect((await own.create({ name: 'F0', folder_path })).ingot_id).toBe(answers[0]?.ingot_id);
  });

  it('ING-07: rejects a folder id next to a path unless it is null, and paths with empty names or dots', async () => {
    const folder_id = await fixture.folder();
    expect(await refused({ folder_id, folder_path: 'a' })).toBe('VALIDATION_ERROR');
    expect((await fixture.create({ folder_id: null, folder_path: 'with-null' })).status).toBe('uploading');
    for (const folder_path of ['', '/', '//a', 'a//b', 'a/../b', 'a/'])
      expect(await refused({ folder_path })).toBe('VALIDATION_ERROR');
  });

  it('VAT-08: refuses a read-only token, also when the context claims write access', async () => {
    const { vault_id, vmk, caller } = fixture;
    const body = { vmk, dvak_type: 'nhi', nhi_description: 'reader', access_level: 'read' } as const;
    const { dvak_token } = await platform.call(createDvak, { params: { vault_id }, body }, caller);
    const { vat } = await platform.unseal(vault_id, { dvak_token }, caller);
    for (const accessLevel of ['read', 'read_write'] as const) {
      const context = { ...caller, vault: { token: vat, accessLevel } };
      expect(await reasonOf(fixture.create({}, context))).toBe('VAT_READ_ONLY');
    }
  });
});

describe('VAT-05 VAT-08: a token that ends after the check of the gateway', () => {
  const each = (of: UploadFixture, ingotId: string, token: string) => {
    const context = { ...of.caller, vault: { token, accessLevel: 'read_write' } } as const;
    const params = { vault_id: of.vault_id, ingot_id: ingotId };
    return Promise.all([
      reasonOf(of.create({}, context)),
      reasonOf(platform.call(replaceIngot, { params, body: { size_bytes: 1 } }, context)),
      reasonOf(platform.call(downloadIngot, { params, body: {} }, context)),
    ]);
  };
  const three = (reason: string) => [reason, reason, reason];

  it('is answered with 403 when it expired or belongs to another vault, with 401 when it is unknown', async () => {
    const own = await platform.newVaultFixture();
    const ingotId = await own.filled();
    const other = await platform.newVaultFixture(own.caller);
    expect(await each(own, ingotId, other.vat)).toEqual(three('VAT_OUT_OF_SCOPE'));
    await platform.sql(
      `UPDATE vault_sessions SET issued_at = issued_at - interval '2 h', expires_at = expires_at - interval '2 h' WHERE vault_id = $1`,
      [own.vault_id],
    );
    expect(await each(own, ingotId, own.vat)).toEqual(three('VAT_EXPIRED'));
    expect(await each(own, ingotId, 'vat_')).toEqual(three('AUTHENTICATION_ERROR'));
  });
});

describe('AMB-13: the order of errors', () => {
  const without = (pools: AccountContext['pools']): AccountContext => ({
    ...fixture.at('read_write'),
    ...(pools && { pools }),
  });
  const noPlan = () => without({ plan: 'none', exhausted: [] });

  it('is the body, the folder, a managed ingot, the plan', async () => {
    const { name } = await fixture.store({ managedBy: 'somebody' });
    const unknown = newId('fld_');
    const both = { folder_id: unknown, folder_path: 'a' };
    expect(await reasonOf(fixture.create(both, noPlan()))).toBe('VALIDATION_ERROR');
    expect(await reasonOf(fixture.create({ folder_id: unknown }, noPlan()))).toBe('FOLDER_NOT_FOUND');
    expect(await reasonOf(fixture.create({ name: name.toUpperCase() }, noPlan()))).toBe('INGOT_MANAGED');
    expect(await reasonOf(fixture.create({}, noPlan()))).toBe('PLAN_REQUIRED');
  });

  it('ends with 402, which names the pool, and leaves no folder, no ingot and no reservation', async () => {
    const own = await platform.newVaultFixture();
    const exhausted = {
      ...own.at('read_write'),
      pools: { plan: 'active', exhausted: ['bandwidth'] },
    } as const;
    const error: unknown = await own
      .create({ folder_path: 'x' }, exhausted)
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ reason: 'QUOTA_EXCEEDED', details: { resource: 'bandwidth' } });
    const full = { size_bytes: INGOT_BYTES_MAX };
    await own.create(full);
    const refused: unknown = await own
      .create({ ...full, folder_path: 'x' })
      .catch((caught: unknown) => caught);
    expect(refused).toBeInstanceOf(AppError);
    expect(refused).toMatchObject({
      reason: 'QUOTA_EXCEEDED',
      details: { resource: 'storage', action_required: 'add_storage_block' },
    });
    expect(await ingotsOf(own)).toHaveLength(1);
    expect(await reservations(own)).toHaveLength(1);
    const { folders } = await own.call(listFolders, { params: { vault_id: own.vault_id }, query: {} });
    expect(folders).toEqual([]);
  });

  it('ENV-24 AMB-16: lets a repeated upload reuse the reservation of the upload that it supersedes', async () => {
    const own = await platform.newVaultFixture();
    const full = { name: 'whole plan', size_bytes: INGOT_BYTES_MAX };
    const { ingot_id } = await own.create(full);
    const closed = (count: number) =>
      eventually(
        () => reservations(own),
        (rows) => rows.filter(({ status }) => status === 'closed').length === count,
      );
    await own.create(full);
    await closed(1); // the room of the first is given back by an event
    await own.replace(ingot_id, { size_bytes: INGOT_BYTES_MAX });
    expect(await reasonOf(own.create({ size_bytes: INGOT_BYTES_MAX }))).toBe('QUOTA_EXCEEDED');
    await closed(2);
    expect(await reservations(own)).toHaveLength(3);
  });
});

describe('ING-08 AMB-15: an existing name', () => {
  it('is another one than a name that differs in more than case, which gets an ingot of its own', async () => {
    const own = await platform.newVaultFixture();
    const names = ['x2.txt', 'x².txt', '™', 'TM', 'Strasse', 'Straße', 'ﬁ', 'fi'];
    const created = [];
    for (const name of names) created.push(await own.create({ name, folder_path: 'a/x²' }));
    for (const name of names.slice(0, 2)) created.push(await own.create({ name, folder_path: 'a/x2' }));
    expect(new Set(created.map(({ ingot_id }) => ingot_id)).size).toBe(10);
    expect((await own.create({ name: 'X².TXT', folder_path: 'A/X²' })).ingot_id).toBe(created[1]?.ingot_id);
  });

  it('selects the same ingot in any case and Unicode form, and ends its previous upload', async () => {
    const own = await platform.newVaultFixture();
    const first = await own.create({ name: 'ﬁle A\u0308', size_bytes: 10 });
    const before = await own.pending(first.ingot_id);
    const second = await own.create({ name: 'ﬁLE Ä', size_bytes: 20, content_type: 'text/html' });
    expect(second.ingot_id).toBe(first.ingot_id);
    expect(await ingotsOf(own)).toHaveLength(1);
    expect(await ingot(first.ingot_id)).toMatchObject({
      name: 'ﬁLE Ä',
      size_bytes: 20,
      status: 'uploading',
    });
    expect((await versionsOf(first.ingot_id)).map(({ id }) => id)).toEqual([
      await own.pending(first.ingot_id),
    ]);
    const dropped = (await own.events()).filter(({ name }) => name === 'vaults.version-dropped');
    expect(dropped.map(({ payload }) => payload.version_id)).toEqual([before]);
    const kept = await eventually(
      () => reservations(own),
      (rows) => rows[0]?.status === 'closed' && rows[1]?.status === 'confirmed',
    );
    expect(kept.map(({ bytes }) => bytes)).toEqual([10, 20]);
    const [old] = await platform.forgeSql<Row>(`SELECT revoked_at FROM istks WHERE lookup = $1`, [
      istkOf(first.forge_url).lookup,
    ]);
    expect(old?.revoked_at).not.toBeNull();
  });

  it('creates another ingot in another folder', async () => {
    const [a, b] = [
      await fixture.create({ name: 'twin' }),
      await fixture.create({ name: 'twin', folder_path: 'x' }),
    ];
    expect(a.ingot_id).not.toBe(b.ingot_id);
  });

  it('in 50 concurrent calls leaves one ingot, one pending version, and 49 dropped versions without reservations', async () => {
    const own = await platform.newVaultFixture();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => own.create({ name: 'one', size_bytes: 100 })),
    );
    const ids = new Set(answers.map(({ ingot_id }) => ingot_id));
    expect(ids.size).toBe(1);
    const [ingotId] = [...ids] as [string];
    expect((await versionsOf(ingotId)).map(({ id }) => id)).toEqual([await own.pending(ingotId)]);
    const published = (await own.events()).map(({ name }) => name);
    const count = (name: string) => published.filter((other) => other === name).length;
    expect([count('vaults.ingot-created'), count('vaults.ingot-replaced')]).toEqual([1, 49]);
    expect([count('vaults.version-opened'), count('vaults.version-dropped')]).toEqual([50, 49]);
    const open = await eventually(
      async () => (await reservations(own)).filter(({ status }) => status !== 'closed'),
      (rows) => rows.length === 1 && rows[0]?.status === 'confirmed',
    );
    expect(open.map(({ id }) => id)).toEqual([await own.pending(ingotId)]);
    const pools = await platform.reportingSql<Row>(
      `SELECT storage_reserved FROM pools WHERE account_id = $1`,
      [own.caller.credential.accountId],
    );
    expect(pools).toEqual([{ storage_reserved: 100 }]);
  });
});

describe('VAT-11 VLT-22: a seal concurrent with uploads', () => {
  it('commits before an upload, which is then refused without a reservation, or after it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const own = await platform.newVaultFixture();
      const uploads = Array.from({ length: 8 }, () =>
        own.create({}).then(({ ingot_id }) => ingot_id, readUnauthenticated),
      );
      const seal = own.call(sealVault, { params: { vault_id: own.vault_id } });
      const answers = await Promise.all(uploads);
      await seal;
      const opened = answers.filter((answer) => answer !== null);
      expect((await ingotsOf(own)).map(({ id }) => id).sort()).toEqual(opened.sort());
      const kept = await eventually(
        async () => (await reservations(own)).filter(({ status }) => status !== 'closed'),
        (rows) => rows.length === opened.length,
      );
      expect(kept).toHaveLength(opened.length);
      expect(await reasonOf(own.create({}))).toBe('AUTHENTICATION_ERROR');
    }
  });

  function readUnauthenticated(error: unknown): null {
    expect(error).toMatchObject({ reason: 'AUTHENTICATION_ERROR' });
    return null;
  }
});

describe('ING-05: a concurrent deletion of the folder', () => {
  it('deletes no ingot: one of the two calls is refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      const own = await platform.newVaultFixture();
      const folder_id = await own.folder();
      const [deletion, upload] = await Promise.all([
        reasonOf(own.call(deleteFolder, { params: { vault_id: own.vault_id, folder_id } })),
        reasonOf(own.create({ folder_id })),
      ]);
      expect([
        ['none', 'FOLDER_NOT_FOUND'],
        ['FOLDER_NOT_EMPTY', 'none'],
      ]).toContainEqual([deletion, upload]);
      if (upload !== 'none') await nothingKept(own);
    }
  });
});
