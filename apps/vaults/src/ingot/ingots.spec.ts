import { beforeAll, describe, expect, it } from '@jest/globals';
import { AppError, type PublicSpec } from '@vaultsvc/contracts';
import {
  deleteFolder,
  deleteIngot,
  listIngots,
  readIngot,
  searchIngots,
  sealVault,
  updateIngot,
  uploadThroughSource,
  type IngotChange,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { accountContext, reasonOf } from '@vaultsvc/testing/harness';
import { newVaultFixture, type VaultFixture } from '../testing/ingots.js';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
let fixture: VaultFixture;
beforeAll(async () => {
  fixture = await newVaultFixture(platform);
});

const params = (ingot_id: string, on = fixture) => ({ vault_id: on.vault_id, ingot_id });
const read = (reference: string, on = fixture) => on.call(readIngot, { params: params(reference, on) });
const change = (reference: string, body: IngotChange, on = fixture) =>
  on.call(updateIngot, { params: params(reference, on), body });
const errorOf = (answer: Promise<unknown>) =>
  answer.then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? error : undefined),
  );

describe('reading an ingot', () => {
  it('ING-24 ING-42 ING-15: returns exactly these fields', async () => {
    const name = 'Report 2026.pdf';
    const { ingot_id, currentVersion } = await fixture.store({
      name,
      sizeBytes: 5_497_558_138_880,
      accessCount: 3,
      bandwidthBytes: 7,
    });
    const answer = await read(ingot_id);
    expect(answer).toEqual({
      ingot_id,
      name,
      size_bytes: 5_497_558_138_880,
      content_type: 'text/plain',
      status: 'active',
      managed_by: null,
      created_at: expect.any(Number),
      updated_at: answer.created_at,
      modified_at: null,
      access_count: 3,
      total_bandwidth_bytes: 7,
      version_id: currentVersion,
      content_hash: null,
    });
    expect(Math.abs(answer.created_at - Date.now() / 1_000)).toBeLessThan(5);
  });

  it('ING-15: returns one of four states', async () => {
    for (const status of ['uploading', 'encrypting', 'active', 'failed'] as const) {
      const { ingot_id } = await fixture.store({ status });
      expect(await read(ingot_id)).toMatchObject({ status });
    }
  });
});

describe('finding an ingot by its name', () => {
  it('ING-25 AMB-14: ignores the case and the Unicode form of letters', async () => {
    const names = [
      ['Quarter.PDF', 'qUARTER.pdf'],
      ['Übersicht Ä.txt', 'U\u0308BERSICHT a\u0308.TXT'],
      ['ﬁle Ａ１', 'ﬁLE ａ１'],
      ['Straße', 'STRAẞE'],
      ['ΑΣΟΣ.doc', 'ασοσ.DOC'],
      ['İstanbul', 'İSTANBUL'],
    ];
    for (const [name, written] of names as [string, string][]) {
      const { ingot_id } = await fixture.store({ name });
      expect(await read(`:${written}`)).toMatchObject({ ingot_id, name });
    }
  });

  it('ING-25 AMB-15: tells names apart that differ in more than case', async () => {
    const names = [
      'x2.txt',
      'x².txt',
      '™',
      'TM',
      'ß',
      'ss',
      'ﬁ',
      'fi',
      'Ａ',
      'A',
      'p\u202fm',
      'p m',
      'İ',
      'I',
      'ı',
    ];
    const stored = [];
    for (const name of names) stored.push(await fixture.store({ name }));
    for (const { ingot_id, name } of stored) expect(await read(`:${name}`)).toMatchObject({ ingot_id, name });
  });

  it('ING-25: works with any letters', async () => {
    const names = [
      'a/b/c.txt',
      ':begins with a colon',
      'one:two',
      '100%',
      '100% of_it',
      'a%2Fb',
      '..',
      'back\\slash',
      "' OR 1=1 --",
      '"quoted"',
      'x y?z#w&v=1',
      '🔥.png',
      newId('ing_'),
      'n'.repeat(255),
      '🔥'.repeat(255),
      'ä'.repeat(255),
    ];
    for (const name of names) {
      const { ingot_id } = await fixture.store({ name });
      expect(await read(`:${name}`)).toMatchObject({ ingot_id, name });
      expect(await change(`:${name}`, { folder_id: null })).toMatchObject({ ingot_id, name });
    }
  });

  it('ING-25: compares whole names, without wildcards', async () => {
    await fixture.store({ name: 'wild_card 50%.txt' });
    for (const name of [
      'wild%',
      'wild_card',
      'wildXcard 50%.txt',
      '%',
      '_',
      '%.txt',
      'wild_card 50%.txt ',
      '*',
    ])
      expect(await reasonOf(read(`:${name}`))).toBe('INGOT_NOT_FOUND');
  });

  it('ING-26 ING-27: is refused with all candidates when several folders have the name', async () => {
    const own = await newVaultFixture(platform, fixture.caller);
    const folders = [null, await own.folder(), await own.folder()];
    const stored = [];
    for (const folderId of folders) stored.push(await own.store({ name: 'Same.txt', folderId }));
    const error = await errorOf(read(':SAME.TXT', own));
    expect(error).toMatchObject({ reason: 'INGOT_NAME_AMBIGUOUS', code: 'CONFLICT', status: 409 });
    const expected = stored.map(({ ingot_id }, index) => ({ ingot_id, folder_id: folders[index] }));
    const { candidates } = (error as unknown as { details: { candidates: { ingot_id: string }[] } }).details;
    expect(candidates).toHaveLength(3);
    expect(candidates).toEqual(expect.arrayContaining(expected));
    for (const { ingot_id } of stored) expect(await read(ingot_id, own)).toMatchObject({ ingot_id });
    expect(await reasonOf(change(':same.txt', { name: 'x' }, own))).toBe('INGOT_NAME_AMBIGUOUS');
    expect(await reasonOf(own.call(deleteIngot, { params: params(':same.txt', own) }))).toBe(
      'INGOT_NAME_AMBIGUOUS',
    );
  });

  it('ING-26: lists 100 candidates at most', async () => {
    const own = await newVaultFixture(platform);
    await own.store({ name: 'many' });
    await platform.sql(
      `WITH place AS (
         INSERT INTO folders (vault_id, id, name, folded_name)
         SELECT $1, 'fld_' || lpad(n::text, 22, '0'), n::text, n::text FROM generate_series(1, 150) n RETURNING id)
       INSERT INTO ingots (id, vault_id, account_id, folder_id, name, folded_name, file_type, content_type, size_bytes, status)
       SELECT 'ing_' || right(id, 22), $1, $2, id, 'many', 'many', 'other', 'x/y', 1, 'failed' FROM place`,
      [own.vault_id, own.caller.credential.accountId],
    );
    const error = await errorOf(read(':Many', own));
    expect((error as unknown as { details: { candidates: unknown[] } }).details.candidates).toHaveLength(100);
  });
});

describe('an ingot that the caller may not access', () => {
  it('ENV-41 AMB-58 ING-25: is answered with 404, whether it is in another vault or account, or does not exist', async () => {
    const beside = await newVaultFixture(platform, fixture.caller);
    const foreign = await newVaultFixture(platform);
    const [near, far] = [await beside.store({ name: 'Near' }), await foreign.store({ name: 'Far' })];
    const unknown = [near.ingot_id, far.ingot_id, newId('ing_'), ':Near', ':Far', ':'];
    const malformed = [
      '',
      'ing_',
      near.ingot_id.toUpperCase(),
      ` ${near.ingot_id}`,
      `:${near.ingot_id}`,
      'Near',
      ':\u0000',
      ':Ne\u0000ar',
      `:${'x'.repeat(60_000)}`,
      newId('vlt_'),
      '%',
      ':%',
    ];
    for (const reference of [...unknown, ...malformed])
      for (const answer of [
        read(reference),
        change(reference, { name: 'x' }),
        fixture.call(deleteIngot, { params: params(reference) }),
      ])
        expect([reference, await reasonOf(answer)]).toEqual([reference, 'INGOT_NOT_FOUND']);
    expect(await read(':near', beside)).toMatchObject({ name: 'Near' });
  });

  it('ENV-41: is unreachable in another account, also for callers that bypass the gateway', async () => {
    const { ingot_id } = await fixture.store();
    const { credential } = accountContext();
    const stranger = { ...fixture.at('read_write'), credential };
    const target = { params: params(ingot_id) };
    expect(await reasonOf(platform.call(readIngot, target, stranger))).toBe('VAULT_NOT_FOUND');
    const scope = { params: { vault_id: fixture.vault_id }, query: {} };
    expect(await reasonOf(platform.call(listIngots, scope, stranger))).toBe('VAULT_NOT_FOUND');
    expect(await reasonOf(platform.call(searchIngots, scope, stranger))).toBe('VAULT_NOT_FOUND');
    const renaming = platform.call(updateIngot, { ...target, body: { name: 'x' } }, stranger);
    expect(await reasonOf(renaming)).not.toBe('none');
    expect(await reasonOf(platform.call(deleteIngot, target, stranger))).not.toBe('none');
    expect(await read(ingot_id)).toMatchObject({ ingot_id });
  });
});

describe.each(['structured-ingots', 'product-messaging'])('an ingot managed by %s', (managedBy) => {
  it('MISC-05 ING-16 ING-38 ING-39 AMB-56: is listed and found, and all other direct operations are refused', async () => {
    const own = await newVaultFixture(platform);
    const { ingot_id } = await own.store({ name: 'Managed', managedBy });
    for (const reference of [ingot_id, ':managed']) {
      expect(await errorOf(read(reference, own))).toMatchObject({ reason: 'INGOT_MANAGED', status: 403 });
      expect(await reasonOf(change(reference, { name: 'x' }, own))).toBe('INGOT_MANAGED');
      expect(await reasonOf(own.call(deleteIngot, { params: params(reference, own) }))).toBe('INGOT_MANAGED');
    }
    const scope = { params: { vault_id: own.vault_id }, query: {} };
    const seen = [{ ingot_id, managed_by: managedBy, name: 'Managed' }];
    expect(await own.call(listIngots, scope)).toMatchObject({ ingots: seen });
    expect(await own.call(searchIngots, scope)).toMatchObject({ ingots: seen });
  });
});

describe('renaming and moving an ingot', () => {
  it('ING-34 ING-35 ING-13: returns the whole ingot', async () => {
    const folder_id = await fixture.folder();
    const { ingot_id } = await fixture.store({ name: 'before.txt' });
    const answer = await change(ingot_id, { name: 'After.png', folder_id });
    expect(answer).toEqual({
      ingot_id,
      name: 'After.png',
      file_type: 'image',
      size_bytes: 1_000,
      content_type: 'text/plain',
      status: 'active',
      folder_id,
      managed_by: null,
      upload_source: null,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
      modified_at: null,
      access_count: 0,
      total_bandwidth_bytes: 0,
    });
    expect(await reasonOf(read(':before.txt'))).toBe('INGOT_NOT_FOUND');
    expect(await read(':after.PNG')).toMatchObject({ ingot_id });
  });

  it('ING-34: requires a name of 1 to 255 characters or a folder', async () => {
    const { ingot_id, name } = await fixture.store();
    for (const body of [
      {},
      { name: '' },
      { name: ' ' },
      { name: 'x'.repeat(256) },
      { name: 'a\nb' },
      { name: null },
      { folder_id: 7 },
      { folder_id: 'root' },
      { name: '\u{1d160}'.repeat(255) },
    ])
      expect(await reasonOf(change(ingot_id, body as IngotChange))).toBe('VALIDATION_ERROR');
    expect(await reasonOf(change(newId('ing_'), { name: '\u{1d160}'.repeat(255) }))).toBe('VALIDATION_ERROR');
    expect(await read(ingot_id)).toMatchObject({ name });
    expect(await change(ingot_id, { name: '🧊'.repeat(255) })).toMatchObject({ name: '🧊'.repeat(255) });
  });

  it('ING-34: moves to the root with null, and keeps absent fields', async () => {
    const folder_id = await fixture.folder();
    const { ingot_id, name } = await fixture.store({ folderId: folder_id });
    expect(await change(ingot_id, { name: 'renamed in place' })).toMatchObject({ folder_id });
    expect(await change(ingot_id, { folder_id: null })).toMatchObject({
      folder_id: null,
      name: 'renamed in place',
    });
    expect(await change(ingot_id, { folder_id, name })).toMatchObject({ folder_id, name });
  });

  it('ING-34 ING-27 AMB-15: rejects the name of another ingot in the folder, in any case', async () => {
    const folder_id = await fixture.folder();
    await fixture.store({ name: 'Taken.txt', folderId: folder_id });
    const { ingot_id, name } = await fixture.store({ folderId: folder_id });
    const outside = await fixture.store({ name: 'TAKEN.txt' });
    expect(await errorOf(change(ingot_id, { name: 'tAKEN.TXT' }))).toMatchObject({
      reason: 'INGOT_NAME_TAKEN',
      status: 409,
    });
    expect(await reasonOf(change(outside.ingot_id, { folder_id }))).toBe('INGOT_NAME_TAKEN');
    expect(await read(ingot_id)).toMatchObject({ name });
    expect(await change(outside.ingot_id, { folder_id, name: 'Free.txt' })).toMatchObject({ folder_id });
  });

  it('ING-34: accepts its own name and folder', async () => {
    const folder_id = await fixture.folder();
    const { ingot_id } = await fixture.store({ name: 'Mine.txt', folderId: folder_id });
    for (const body of [
      { name: 'Mine.txt' },
      { name: 'MINE.txt' },
      { folder_id },
      { name: 'mine.TXT', folder_id },
    ])
      expect(await reasonOf(change(ingot_id, body))).toBe('none');
    expect(await read(ingot_id)).toMatchObject({ name: 'mine.TXT' });
  });

  it('ING-34 ENV-41: answers 404 for a folder of another vault or account, and for an unknown one', async () => {
    const { ingot_id } = await fixture.store();
    const beside = await (await newVaultFixture(platform, fixture.caller)).folder();
    const theirs = await (await newVaultFixture(platform)).folder();
    for (const folder_id of [beside, theirs, newId('fld_')])
      expect(await reasonOf(change(ingot_id, { folder_id }))).toBe('FOLDER_NOT_FOUND');
  });

  it('ING-18: increases updated_at with every change, also within one second', async () => {
    const { ingot_id } = await fixture.store();
    const times = [(await read(ingot_id)).updated_at];
    for (const name of ['one', 'two', 'three']) times.push((await change(ingot_id, { name })).updated_at);
    times.push((await change(ingot_id, { folder_id: null })).updated_at);
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
  });

  it('ING-35: publishes one event per committed change, with ids only', async () => {
    const own = await newVaultFixture(platform);
    const { ingot_id } = await own.store({ name: 'Canary' });
    await change(ingot_id, { name: 'Canary 2' }, own);
    await reasonOf(change(ingot_id, { folder_id: newId('fld_') }, own));
    await reasonOf(change(ingot_id, {}, own));
    const { accountId, credentialId } = own.caller.credential;
    const payload = {
      vault_id: own.vault_id,
      account_id: accountId,
      actor_type: 'api_key',
      actor_id: credentialId,
      ingot_id,
    };
    expect(await own.events()).toEqual([{ name: 'vaults.ingot-updated', payload }]);
  });
});

describe('concurrent changes of ingots', () => {
  it('AMB-15: give one name to exactly one of twenty ingots', async () => {
    const stored = await Promise.all(Array.from({ length: 20 }, () => fixture.store()));
    const reasons = await Promise.all(
      stored.map(({ ingot_id }, index) =>
        reasonOf(change(ingot_id, { name: index % 2 ? 'Wanted' : 'wANTED' })),
      ),
    );
    expect(reasons.filter((reason) => reason === 'none')).toHaveLength(1);
    expect(reasons.filter((reason) => reason === 'INGOT_NAME_TAKEN')).toHaveLength(19);
    expect(await read(':WANTED')).toMatchObject({ status: 'active' });
  });

  it('OPEN-11: move nothing into a folder that is being deleted', async () => {
    for (let round = 0; round < 20; round += 1) {
      const [folder_id, { ingot_id }] = [await fixture.folder(), await fixture.store()];
      const reasons = await Promise.all([
        reasonOf(fixture.call(deleteFolder, { params: { vault_id: fixture.vault_id, folder_id } })),
        reasonOf(change(ingot_id, { folder_id })),
      ]);
      expect([
        ['none', 'FOLDER_NOT_FOUND'],
        ['FOLDER_NOT_EMPTY', 'none'],
      ]).toContainEqual(reasons);
    }
  });

  it('OPEN-11: delete no folder with an ingot in any state', async () => {
    for (const status of ['active', 'uploading', 'failed'] as const) {
      const folder_id = await fixture.folder();
      const { ingot_id } = await fixture.store({ folderId: folder_id, status });
      const remove = () =>
        reasonOf(fixture.call(deleteFolder, { params: { vault_id: fixture.vault_id, folder_id } }));
      expect(await remove()).toBe('FOLDER_NOT_EMPTY');
      await change(ingot_id, { folder_id: null });
      expect(await remove()).toBe('none');
    }
  });

  it('VAT-11 VLT-22: are refused with a token that was sealed before their commit', async () => {
    for (let round = 0; round < 10; round += 1) {
      const own = await newVaultFixture(platform);
      const { ingot_id } = await own.store();
      const seal = own.call(sealVault, { params: { vault_id: own.vault_id } });
      const renames = Array.from({ length: 5 }, (_, index) =>
        reasonOf(change(ingot_id, { name: `${index}` }, own)),
      );
      await seal;
      expect(await reasonOf(change(ingot_id, { name: 'late' }, own))).toBe('AUTHENTICATION_ERROR');
      for (const reason of await Promise.all(renames))
        expect(['none', 'AUTHENTICATION_ERROR']).toContain(reason);
      expect(await own.eventsSinceSeal()).toEqual([]);
    }
  });
});

describe('access to ingots', () => {
  it('VAT-02 VAT-08: requires a token for every operation, and write access for changes', () => {
    const levelOf = ({ access }: PublicSpec) => access.vat;
    expect([listIngots, searchIngots, readIngot].map(levelOf)).toEqual(['read', 'read', 'read']);
    expect([updateIngot, deleteIngot].map(levelOf)).toEqual(['write', 'write']);
  });

  it('VAT-08: refuses changes with a read-only token, also for callers that bypass the gateway', async () => {
    const { ingot_id, name } = await fixture.store();
    const reader = fixture.at('read');
    const renaming = platform.call(updateIngot, { params: params(ingot_id), body: { name: 'x' } }, reader);
    expect(await reasonOf(renaming)).toBe('VAT_READ_ONLY');
    expect(await reasonOf(platform.call(deleteIngot, { params: params(ingot_id) }, reader))).toBe(
      'VAT_READ_ONLY',
    );
    expect(await platform.call(readIngot, { params: params(ingot_id) }, reader)).toMatchObject({ name });
  });
});

describe('uploads through a portal or a widget', () => {
  it('ENV-31 OPEN-24: are disabled; callers without the vault get 404', async () => {
    for (const source of ['portal', 'widget'] as const) {
      const upload = (vault_id: string, caller = fixture.caller) =>
        errorOf(platform.call(uploadThroughSource, { params: { vault_id, source } }, caller));
      expect(await upload(fixture.vault_id)).toMatchObject({ reason: 'UPLOAD_SOURCE_DISABLED', status: 404 });
      expect(await upload(newId('vlt_'))).toMatchObject({ reason: 'VAULT_NOT_FOUND', status: 404 });
      expect(await upload(fixture.vault_id, accountContext())).toMatchObject({ reason: 'VAULT_NOT_FOUND' });
    }
  });
});
