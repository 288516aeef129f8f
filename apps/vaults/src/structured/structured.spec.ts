import { beforeAll, describe, expect, it } from '@jest/globals';
import { createStructured, type KeyValues, type StructuredChange } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { accountContext, reasonOf } from '@vaultsvc/testing/harness';
import { usePlatform } from '../testing/platform.js';
import { newStructuredFixture, type StructuredFixture } from '../testing/structured.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
let fixture: StructuredFixture;
beforeAll(async () => {
  fixture = await newStructuredFixture(platform);
});

const numbered = (count: number, value: unknown = 'v'): KeyValues =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]));
const eventsOf = async (ingotId: string, on = fixture) =>
  (await on.events()).filter(({ payload }) => payload['ingot_id'] === ingotId);

describe('POST a structured ingot', () => {
  it('STR-01 STR-05 STR-26: answers with id, name, version 1, key count and time, and without values', async () => {
    const name = newId('Name_');
    const answer = await fixture.create({ a: 1, b: 'two', c: null }, name);
    expect(answer).toEqual({
      ingot_id: expect.stringMatching(/^ing_/),
      name,
      version: 1,
      key_count: 3,
      created_at: expect.any(Number),
    });
    expect(Math.abs(answer.created_at - Date.now() / 1_000)).toBeLessThan(5);
  });

  it('OPEN-19: stores a string as it is and any other value as JSON text', async () => {
    const data = { s: 'a "b"\n', n: 1.5, t: true, z: null, o: { x: [1, { __y: '' }] }, e: '', l: [] };
    const { ingot_id } = await fixture.create(data);
    expect(Object.fromEntries(await fixture.stored(ingot_id))).toEqual({
      s: 'a "b"\n',
      n: '1.5',
      t: 'true',
      z: 'null',
      o: '{"x":[1,{"__y":""}]}',
      e: '',
      l: '[]',
    });
  });

  it('STR-02 STR-03 STR-04: requires a name of 1 to 255 characters and an object of at most 10,000 keys', async () => {
    const wrong: [unknown, string][] = [
      [{}, 'x'.repeat(256)],
      [{}, ''],
      [{}, 'a\nb'],
      [{}, '\u{1d160}'.repeat(255)],
      [[], 'x'],
      ['{}', 'x'],
      [null, 'x'],
      ['x', 'x'],
      [numbered(10_001), 'x'],
      [{ ['k'.repeat(257)]: 1 }, 'x'],
      [{ '': 1 }, 'x'],
      [{ 'a,b': 1 }, 'x'],
      [{ '\ud800': 1 }, 'x'],
    ];
    for (const [data, name] of wrong)
      expect(await reasonOf(fixture.create(data as KeyValues, name))).toBe('VALIDATION_ERROR');
    const params = { vault_id: fixture.vault_id };
    expect(await reasonOf(fixture.call(createStructured, { params, body: { data: {} } }))).toBe(
      'VALIDATION_ERROR',
    );
    expect(await reasonOf(fixture.create({}, '🔥'.repeat(255)))).toBe('none');
  });

  it('STR-04 AMB-12: accepts a value of 1,048,576 bytes and rejects a larger one with 413, string or JSON', async () => {
    const { ingot_id } = await fixture.create({ s: 'é'.repeat(524_288), j: ['x'.repeat(1_048_572)] });
    expect((await fixture.stored(ingot_id)).get('j')).toHaveLength(1_048_576);
    for (const value of ['é'.repeat(524_288) + 'x', ['x'.repeat(1_048_573)]]) {
      expect(await reasonOf(fixture.create({ value }))).toBe('PAYLOAD_TOO_LARGE');
      expect(await reasonOf(fixture.patch(ingot_id, { set: { value } }))).toBe('PAYLOAD_TOO_LARGE');
    }
  });

  it('AMB-13: answers 400 for a name too long for the index before 413 for a value, and 413 before 404', async () => {
    const value = 'x'.repeat(1_048_577);
    expect(await reasonOf(fixture.create({ value }, '\u{1d160}'.repeat(255)))).toBe('VALIDATION_ERROR');
    expect(await reasonOf(fixture.patch(newId('ing_'), { set: { value } }))).toBe('PAYLOAD_TOO_LARGE');
    expect(await reasonOf(fixture.patch(newId('ing_'), {}))).toBe('VALIDATION_ERROR');
  });

  it('accepts an ingot without keys', async () => {
    const { ingot_id, key_count } = await fixture.create({});
    expect(key_count).toBe(0);
    expect(await fixture.describe(ingot_id)).toMatchObject({ key_count: 0, keys: [] });
    expect(await fixture.patch(ingot_id, { delete: ['nothing'] })).toMatchObject({
      version: 2,
      key_count: 0,
    });
  });
});

describe('POST a structured ingot with an existing name', () => {
  it('STR-06 STR-01: resets the ingot to version 1, keeps its id and deletes its old keys', async () => {
    const name = newId('config_');
    const first = await fixture.create({ a: 1, b: 2 }, name);
    await fixture.patch(first.ingot_id, { set: { c: 3 } });
    await fixture.patch(first.ingot_id, { set: { d: 4 } });
    const again = await fixture.create({ b: 'new' }, name.toUpperCase());
    expect(again).toEqual({ ...first, name: name.toUpperCase(), version: 1, key_count: 1 });
    expect(await fixture.describe(first.ingot_id)).toMatchObject({ version: 1, keys: ['b'], key_count: 1 });
    expect(Object.fromEntries(await fixture.stored(first.ingot_id))).toEqual({ b: 'new' });
  });

  it('STR-06: replaces the key of the ingot, so that old values cannot be opened', async () => {
    const name = newId('config_');
    const { ingot_id } = await fixture.create({ a: 'old' }, name);
    const keyOf = () =>
      platform.sql(`SELECT wrapped_key FROM structured_ingots WHERE ingot_id = $1`, [ingot_id]);
    const valuesOf = () => platform.sql(`SELECT * FROM structured_values WHERE ingot_id = $1`, [ingot_id]);
    const [keyBefore, before] = [await keyOf(), await valuesOf()];
    await fixture.create({ a: 'old' }, name);
    expect(await keyOf()).not.toEqual(keyBefore);
    expect((await valuesOf())[0]?.['blind']).not.toEqual(before[0]?.['blind']);
  });

  it('AMB-43: overwrites the ingot in its folder, and answers 409 with the ids of several candidates', async () => {
    const own = await newStructuredFixture(platform);
    const name = 'Where';
    const { ingot_id } = await own.create({ a: 1 }, name);
    const folder_id = await own.folder();
    await platform.sql(`UPDATE ingots SET folder_id = $2 WHERE id = $1`, [ingot_id, folder_id]);
    await own.store({ name });
    expect(await own.create({ b: 1 }, name)).toMatchObject({ ingot_id, version: 1 });
    const [place] = await platform.sql(`SELECT folder_id FROM ingots WHERE id = $1`, [ingot_id]);
    expect(place).toEqual({ folder_id });
    await own.store({ name, folderId: await own.folder(), managedBy: 'structured-ingots' });
    await expect(own.create({}, name)).rejects.toMatchObject({
      reason: 'INGOT_NAME_AMBIGUOUS',
      details: { candidates: expect.arrayContaining([{ ingot_id, folder_id }]) },
    });
  });

  it('AMB-43: answers 409 when an ingot of another kind has the name at the root, not when it is in a folder', async () => {
    const own = await newStructuredFixture(platform);
    await own.store({ name: 'Standard' });
    await own.store({ name: 'product', managedBy: 'product-messaging' });
    await own.store({ name: 'below', folderId: await own.folder() });
    for (const name of ['standard', 'PRODUCT'])
      expect(await reasonOf(own.create({}, name))).toBe('INGOT_NAME_TAKEN');
    expect(await reasonOf(own.create({}, 'below'))).toBe('none');
  });
});

describe('GET the list of structured ingots', () => {
  it('STR-08: returns names and times, without versions and key counts', async () => {
    const own = await newStructuredFixture(platform);
    const { ingot_id, name, created_at } = await own.create({ a: 1 });
    expect(await own.list()).toEqual({
      ingots: [{ ingot_id, name, version: null, key_count: null, created_at, updated_at: created_at }],
      count: 1,
    });
  });

  it('STR-07: applies the limit to ingots of all kinds, oldest first, before it filters', async () => {
    const own = await newStructuredFixture(platform);
    for (const age of [40, 30, 20]) await own.store({ age });
    const { ingot_id } = await own.create({});
    const counts = [];
    for (const limit of [1, 3, 4, undefined]) counts.push((await own.list(limit)).count);
    expect(counts).toEqual([0, 0, 1, 1]);
    expect((await own.list()).ingots).toMatchObject([{ ingot_id }]);
    for (const limit of [-1, 501, 1.5]) expect(await reasonOf(own.list(limit))).toBe('VALIDATION_ERROR');
    expect(await reasonOf(own.list(500))).toBe('none');
  });
});

describe('GET a structured ingot', () => {
  it('STR-09: returns the names of its keys in code point order, and no value', async () => {
    const keys = ['\uffee', '😀', 'b', 'B', 'a', 'é', '10', '9'];
    const { ingot_id, name, created_at } = await fixture.create(
      Object.fromEntries(keys.map((k) => [k, 'secret'])),
    );
    await platform.sql(`UPDATE ingots SET created_at = created_at - interval '1 hour' WHERE id = $1`, [
      ingot_id,
    ]);
    expect(await fixture.describe(ingot_id)).toEqual({
      ingot_id,
      name,
      version: 1,
      key_count: 8,
      keys: ['10', '9', 'B', 'a', 'b', 'é', '\uffee', '😀'],
      created_at: created_at - 3_600,
      updated_at: created_at,
    });
  });

  it('STR-23: finds the ingot by name among all ingots of the vault; 409 lists the candidates', async () => {
    const own = await newStructuredFixture(platform);
    const { ingot_id } = await own.create({ a: 1 }, 'Shared name');
    expect(await own.describe(':shared NAME')).toMatchObject({ ingot_id });
    expect(await own.patch(':shared NAME', { set: { b: 2 } })).toMatchObject({ ingot_id, version: 2 });
    const folder_id = await own.folder();
    const other = await own.store({ name: 'SHARED name', folderId: folder_id });
    const candidates = expect.arrayContaining([
      { ingot_id, folder_id: null },
      { ingot_id: other.ingot_id, folder_id },
    ]);
    for (const call of [own.describe, own.remove, (ref: string) => own.patch(ref, { delete: ['a'] })])
      await expect(call(':shared name')).rejects.toMatchObject({
        reason: 'INGOT_NAME_AMBIGUOUS',
        details: { candidates },
      });
    expect(await own.describe(ingot_id)).toMatchObject({ keys: ['a', 'b'] });
  });

  it('STR-21 STR-22: answers 403 for an ingot of another kind, 404 for an unknown one', async () => {
    const standard = await fixture.store({ name: newId('plain_') });
    const managed = await fixture.store({ managedBy: 'product-messaging' });
    const foreign = await (await newStructuredFixture(platform)).create({});
    const elsewhere = await (await newStructuredFixture(platform, fixture.caller)).create({});
    const calls = [
      (ref: string) => fixture.describe(ref),
      (ref: string) => fixture.patch(ref, { set: { a: 1 } }),
      (ref: string) => fixture.patch(ref, { delete: ['a'] }),
      (ref: string) => fixture.remove(ref),
    ];
    const reasons = async (ref: string) =>
      new Set(await Promise.all(calls.map((call) => reasonOf(call(ref)))));
    for (const ref of [standard.ingot_id, `:${standard.name}`, managed.ingot_id])
      expect(await reasons(ref)).toEqual(new Set(['INGOT_NOT_STRUCTURED']));
    for (const ref of [newId('ing_'), ':none', 'ing_x', ':a\0b', foreign.ingot_id, elsewhere.ingot_id])
      expect(await reasons(ref)).toEqual(new Set(['INGOT_NOT_FOUND']));
  });
});

describe('PATCH a structured ingot', () => {
  it('STR-15 STR-26: returns the next version and leaves other keys unchanged', async () => {
    const { ingot_id } = await fixture.create({ a: 1, b: 2, c: 3 });
    const answer = await fixture.patch(ingot_id, { set: { b: 'B', d: 4 }, delete: ['a', 'never'] });
    expect(answer).toEqual({ ingot_id, version: 2, key_count: 3, updated_at: expect.any(Number) });
    expect(await fixture.describe(ingot_id)).toMatchObject({
      version: 2,
      key_count: 3,
      keys: ['b', 'c', 'd'],
      updated_at: answer.updated_at,
    });
    expect(Object.fromEntries(await fixture.stored(ingot_id))).toEqual({ b: 'B', c: '3', d: '4' });
    expect((await fixture.patch(ingot_id, { delete: ['b', 'b'] })).updated_at).toBeGreaterThan(
      answer.updated_at,
    );
  });

  it('ING-18 STR-15: increases updated_at with every change, also within one second', async () => {
    const { ingot_id, name, created_at } = await fixture.create({ n: 0 });
    const times = [created_at];
    for (let n = 1; n <= 3; n += 1) times.push((await fixture.patch(ingot_id, { set: { n } })).updated_at);
    times.push((await fixture.patch(ingot_id, { delete: ['unknown'] })).updated_at);
    for (let n = 0; n < 2; n += 1) {
      await fixture.create({ n }, name);
      times.push((await fixture.describe(ingot_id)).updated_at as number);
    }
    expect(times).toEqual([...new Set(times)].toSorted((one, other) => one - other));
  });

  it('STR-14: accepts empty lists, which change no key and make a version as every change does', async () => {
    const { ingot_id } = await fixture.create({ a: 1 });
    const empty: StructuredChange[] = [{ set: {} }, { delete: [] }, { set: {}, delete: [] }];
    for (const [index, body] of empty.entries())
      expect(await fixture.patch(ingot_id, body)).toMatchObject({ version: index + 2, key_count: 1 });
    expect(await fixture.describe(ingot_id)).toMatchObject({ version: 4, keys: ['a'] });
  });

  it('STR-14: answers 400 when it has neither list, or sets and deletes the same key', async () => {
    const { ingot_id } = await fixture.create({ a: 1 });
    const wrong: unknown[] = [
      {},
      { set: { a: 2 }, delete: ['b', 'a'] },
      { set: [] },
      { set: null },
      { delete: 'a' },
      { delete: [1] },
      { delete: [''] },
      { delete: ['a,b'] },
      { delete: ['k'.repeat(257)] },
      { set: { 'a,b': 1 } },
    ];
    for (const body of wrong)
      expect(await reasonOf(fixture.patch(ingot_id, body as StructuredChange))).toBe('VALIDATION_ERROR');
    expect(await fixture.describe(ingot_id)).toMatchObject({ version: 1, keys: ['a'] });
  });

  it('STR-25: rejects more than 10,000 keys with 400 and applies nothing; replaced and deleted keys do not count', async () => {
    const { ingot_id } = await fixture.create(numbered(9_999));
    const before = await fixture.counters();
    expect(await reasonOf(fixture.patch(ingot_id, { set: { x: 1, y: 2 }, delete: ['none'] }))).toBe(
      'VALIDATION_ERROR',
    );
    expect(await fixture.describe(ingot_id)).toMatchObject({ version: 1, key_count: 9_999 });
    expect(await fixture.counters()).toEqual(before);
    expect(await eventsOf(ingot_id)).toHaveLength(1);
    expect(await fixture.patch(ingot_id, { set: { x: 1, k0: 2 } })).toMatchObject({
      version: 2,
      key_count: 10_000,
    });
    expect(await reasonOf(fixture.patch(ingot_id, { set: { y: 1 } }))).toBe('VALIDATION_ERROR');
    expect(await fixture.patch(ingot_id, { set: { y: 1 }, delete: ['k1'] })).toMatchObject({
      key_count: 10_000,
    });
  });
});

describe('DELETE a structured ingot', () => {
  it('STR-17: deletes its values and frees its name; it is not found afterwards', async () => {
    const own = await newStructuredFixture(platform);
    const name = 'to go';
    const { ingot_id } = await own.create(numbered(1_234), name);
    await own.remove(':To Go');
    for (const call of [own.describe, own.remove, (ref: string) => own.patch(ref, { delete: ['a'] })])
      for (const ref of [ingot_id, ':to go']) expect(await reasonOf(call(ref))).toBe('INGOT_NOT_FOUND');
    expect(await own.rowCount()).toBe(0);
    expect(await platform.sql(`SELECT 1 FROM structured_ingots WHERE ingot_id = $1`, [ingot_id])).toEqual([]);
    expect((await own.list()).count).toBe(0);
    expect((await own.create({}, name)).ingot_id).not.toBe(ingot_id);
  });
});

describe('counting structured ingots', () => {
  it('VLT-25 ING-15: adds one ingot, the bytes of its values and the bytes written to the vault', async () => {
    const own = await newStructuredFixture(platform);
    const name = 'counted';
    const expected = async (ingots: number, stored: number, moved: number) =>
      expect(await own.counters()).toEqual({
        ingot_count: ingots,
        storage_bytes: stored,
        total_bandwidth_bytes: moved,
        total_access_count: 0,
      });
    const { ingot_id } = await own.create({ a: 'ä', b: [1] }, name);
    await expected(1, 5, 5);
    await own.patch(ingot_id, { set: { a: 'xyz', c: 'c' }, delete: ['b', 'none'] });
    await expected(1, 4, 9);
    await own.create({ z: '12345678' }, name);
    await expected(1, 8, 17);
    const [ingot] = await platform.sql(`SELECT size_bytes, total_bandwidth_bytes FROM ingots WHERE id = $1`, [
      ingot_id,
    ]);
    expect(ingot).toEqual({ size_bytes: 8, total_bandwidth_bytes: 17 });
    await own.remove(ingot_id);
    await expected(0, 0, 17);
  });

  it('RPT-17: publishes the change of stored bytes and the written bytes', async () => {
    const own = await newStructuredFixture(platform);
    const { ingot_id } = await own.create({ a: '12345' }, 'counted');
    await own.patch(ingot_id, { set: { b: '12' }, delete: ['a'] });
    await own.create({ c: '1234' }, 'counted');
    await own.remove(ingot_id);
    const { accountId: account_id, credentialId: actor_id } = own.caller.credential;
    const of = { account_id, actor_id, actor_type: 'api_key', vault_id: own.vault_id, ingot_id };
    expect(await own.events()).toEqual([
      written('created', { ...of, version: 1, key_count: 1, stored_bytes: 5, written_bytes: 5 }),
      written('updated', { ...of, version: 2, key_count: 1, stored_bytes: -3, written_bytes: 2 }),
      written('overwritten', { ...of, version: 1, key_count: 1, stored_bytes: 2, written_bytes: 4 }),
      written('deleted', { ...of, size_bytes: 4 }),
    ]);
  });
  const written = (what: string, payload: object) => ({ name: `vaults.structured-${what}`, payload });
});

describe('access to structured ingots', () => {
  it('AMB-57 VAT-08: by a read token lists and describes them, and changes nothing', async () => {
    const { ingot_id } = await fixture.create({ a: 1 });
    const reading = fixture.at('read');
    expect(await reasonOf(fixture.describe(ingot_id, reading))).toBe('none');
    for (const refused of [
      fixture.create({}, 'x', reading),
      fixture.patch(ingot_id, { delete: ['a'] }, reading),
      fixture.remove(ingot_id, reading),
    ])
      expect(await reasonOf(refused)).toBe('VAT_READ_ONLY');
  });

  it('ENV-41: another account finds nothing, whichever token it presents', async () => {
    const { ingot_id } = await fixture.create({ a: 1 });
    const stranger = { ...accountContext(), vault: fixture.at('read_write').vault };
    for (const refused of [
      fixture.create({}, 'x', stranger),
      fixture.describe(ingot_id, stranger),
      fixture.patch(ingot_id, { delete: ['a'] }, stranger),
      fixture.remove(ingot_id, stranger),
    ])
      expect(await reasonOf(refused)).not.toBe('none');
    expect(await fixture.describe(ingot_id)).toMatchObject({ version: 1 });
  });

  it('ENV-23 OPEN-58: writes are refused when a pool is exhausted or no plan exists; deletes are not', async () => {
    const { ingot_id } = await fixture.create({ a: 1, b: 2 });
    const poor = (pools: NonNullable<VaultFixture['pools']>) => ({ ...fixture.at('read_write'), pools });
    const broke = [
      [poor({ plan: 'active', exhausted: ['storage'] }), 'QUOTA_EXCEEDED'],
      [poor({ plan: 'active', exhausted: ['bandwidth'] }), 'QUOTA_EXCEEDED'],
      [poor({ plan: 'none', exhausted: [] }), 'PLAN_REQUIRED'],
    ] as const;
    for (const [context, reason] of broke) {
      expect(await reasonOf(fixture.create({}, newId('n_'), context))).toBe(reason);
      expect(await reasonOf(fixture.patch(ingot_id, { set: { a: 1 } }, context))).toBe(reason);
      expect(await reasonOf(fixture.patch(newId('ing_'), { set: { a: 1 } }, context))).toBe(
        'INGOT_NOT_FOUND',
      );
      expect(await reasonOf(fixture.describe(ingot_id, context))).toBe('none');
      expect(await reasonOf(fixture.patch(ingot_id, { delete: ['a'] }, context))).toBe('none');
    }
    expect(await reasonOf(fixture.remove(ingot_id, broke[0][0]))).toBe('none');
  });
  type VaultFixture = ReturnType<StructuredFixture['at']>;
});
