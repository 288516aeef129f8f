import { beforeAll, describe, expect, it } from '@jest/globals';
import { generateEntropy, listSparks, readSpark } from '@vaultsvc/contracts/sparks';
import {
  createFolder,
  createIngot,
  createIngotLink,
  createStructured,
  deleteIngot,
  deleteStructured,
  deleteVault,
  deliverIngotLink,
  downloadIngot,
  inviteToIngot,
  listIngots,
  listStructured,
  readIngot,
  readSharing,
  readStructured,
  readVault,
  replaceIngot,
  resendInvite,
  revokeInvite,
  searchIngots,
  STRUCTURED_PRODUCT,
  updateIngot,
  updateSharing,
  updateStructured,
  updateVault,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded, type Api } from '@vaultsvc/testing/http';
import { eventually, timed } from '@vaultsvc/testing/waiting';
import { uploadContent } from './access/upload-content.js';
import { createUnsealedVault, type UnsealedVault } from './unsealed-vault.js';
import { signUpOrganization, newEmail } from './sign-in.js';
import { usedPools } from './used-pools.js';

/** The lifecycle of structured ingots, against the local stack. */
let client: Api;
let { vault_id, call, get, refusal } = {} as UnsealedVault;
let ingot_id: string;

const inVault = () => ({ params: { vault_id } });
const of = (reference = ingot_id) => ({ params: { vault_id, ingot_id: reference } });

/** `JSON.parse` makes `__proto__` an own key, as in the body of a request. */
const first = JSON.parse(
  '{"db password+":"correct horse","__proto__":"of nothing","constructor":{"a":[1,null,true]},"Schlüssel 🔑":"ü","\\u0000":3.5}',
) as Record<string, unknown>;

const reading = (keys: readonly string[], ttl?: number) => ({
  ...of(),
  query: { keys: keys.join(','), ttl },
});
const retrieve = async (...keys: string[]) => await get(readStructured, reading(keys));
/** Reads, and thereby burns, a Spark. */
const burn = async (spark_id: string) => succeeded(await client.call(readSpark, { params: { spark_id } }));
const valueOf = async (key: string) => {
  const { values } = await retrieve(key);
  return (await burn(new Map(Object.entries(values ?? {})).get(key)?.spark_id as string)).payload;
};
const sparksHeld = async () =>
  succeeded(await client.call(listSparks, { query: { limit: 100 } })).sparks.length;

/** Storage and bandwidth from an answer that itself consumes next to nothing. */
async function pools() {
  const body = { format: 'hex', num_bytes: 1, with_commitment: false } as const;
  return usedPools(() => client.call(generateEntropy, { body }));
}
const stores = (bytes: number) => eventually(pools, ({ storage }) => storage === bytes);
beforeAll(async () => {
  ({ client } = await signUpOrganization('Structured journey'));
  ({ vault_id, call, get, refusal } = await createUnsealedVault(client));
});

describe('keys and values of a vault', () => {
  it('STR-01 STR-05 STR-08 STR-09: are stored and listed by name, without a value in any answer', async () => {
    const made = await get(createStructured, { ...inVault(), body: { name: 'Config', data: first } });
    expect(made).toMatchObject({ name: 'Config', version: 1, key_count: 5 });
    ({ ingot_id } = made);
    const { created_at } = made;
    expect(await get(listStructured, { ...inVault(), query: { limit: 100 } })).toEqual({
      ingots: [
        {
          ingot_id,
          name: 'Config',
          version: null,
          key_count: null,
          created_at,
          updated_at: expect.any(Number),
        },
      ],
      count: 1,
    });
    expect(await get(readStructured, { ...of(), query: {} })).toEqual({
      ingot_id,
      name: 'Config',
      version: 1,
      key_count: 5,
      keys: ['\0', 'Schlüssel 🔑', '__proto__', 'constructor', 'db password+'],
      created_at,
      updated_at: expect.any(Number),
    });
  });

  it('STR-10 STR-12 STR-13 OPEN-19: are retrieved as Sparks with their original types, each readable once', async () => {
    const names = Object.keys(first);
    const { values, missing_keys } = await retrieve(...names, 'nobody', 'toString');
    expect(missing_keys).toEqual(['nobody', 'toString']);
    const entries = Object.entries(values ?? {});
    expect(entries.map(([name]) => name).toSorted()).toEqual(names.toSorted());
    for (const [name, { spark_id }] of entries) {
      const { payload, content_type } = await burn(spark_id);
      const value = new Map(Object.entries(first)).get(name);
      const isText = typeof value === 'string';
      expect([name, content_type]).toEqual([name, isText ? 'text/plain' : 'application/json']);
      expect(isText ? payload : JSON.parse(payload)).toEqual(value);
      expect((await client.call(readSpark, { params: { spark_id } })).status).toBe(403);
    }
  });

  it('STR-11 TRAP 38: are retrieved as Sparks that expire after the given TTL, by default 900 seconds', async () => {
    const secondsLeft = async (ttl?: number) => {
      const { result, from, to } = await timed(() => get(readStructured, reading(['db password+'], ttl)));
      const expires = result.values?.['db password+']?.expires_at ?? 0;
      return { least: expires - to, most: expires - from };
    };
    for (const [ttl, wished] of [
      [undefined, 900],
      [3_600, 3_600],
      [86_400, 86_400],
    ] as const) {
      const { least, most } = await secondsLeft(ttl);
      expect(least).toBeLessThanOrEqual(wished);
      expect(most).toBeGreaterThanOrEqual(wished);
    }
    expect(await refusal(readStructured, { ...of(), query: { ttl: 90 } })).toMatch(/^400 VALIDATION_ERROR/);
  });

  it('STR-12 AMB-58: are retrieved as Sparks that only their account can read', async () => {
    const { client: outsider } = await signUpOrganization('Another one', { email: newEmail() });
    const { values } = await retrieve('db password+');
    const params = { spark_id: values?.['db password+']?.spark_id as string };
    expect((await outsider.call(readSpark, { params })).status).toBe(404);
    expect((await burn(params.spark_id)).payload).toBe('correct horse');
  });

  it('STR-14 STR-15: are set and deleted individually, which increases the version', async () => {
    const change = {
      ...of(),
      body: { set: { 'db password+': 'newer', more: [] }, delete: ['constructor', 'x'] },
    };
    expect(await get(updateStructured, change)).toMatchObject({ ingot_id, version: 2, key_count: 5 });
    expect(await valueOf('db password+')).toBe('newer');
    for (const body of [{}, { set: { a: 1 }, delete: ['a'] }])
      expect(await refusal(updateStructured, { ...of(), body })).toMatch(/^400 VALIDATION_ERROR/);
    expect(await get(readStructured, { ...of(), query: {} })).toMatchObject({ version: 2, key_count: 5 });
  });

  it('STR-16 TRAP 40: are changed concurrently, where the version counts exactly the committed changes', async () => {
    const patches = Array.from({ length: 10 }, (_, i) =>
      call(updateStructured, { ...of(), body: { set: { [`raced-${i}`]: String(i) } } }),
    );
    const answers = await Promise.all(patches);
    const made = answers.flatMap(({ status }, i) => (status === 200 ? [`raced-${i}`] : []));
    expect(answers.every(({ status }) => status === 200 || status === 412)).toBe(true);
    expect(made).not.toEqual([]);
    const { version, keys = [] } = await get(readStructured, { ...of(), query: {} });
    expect(version).toBe(2 + made.length);
    expect(keys.filter((name) => name.startsWith('raced-')).toSorted()).toEqual(made.toSorted());
    await get(updateStructured, { ...of(), body: { delete: made } });
  });

  it('STR-24 TRAP 37: are not retrieved at all if one value is too long for a Spark', async () => {
    await get(updateStructured, { ...of(), body: { set: { long: 'l'.repeat(300_000) } } });
    const before = await sparksHeld();
    const { status, error } = await call(readStructured, reading(['db password+', 'long']));
    expect([status, error?.details]).toEqual([400, expect.objectContaining({ oversize_keys: ['long'] })]);
    expect(await sparksHeld()).toBe(before);
    expect(await valueOf('db password+')).toBe('newer');
  });

  it('STR-06 TRAP 35: are replaced as a whole by name, while Sparks of earlier retrievals remain', async () => {
    const { values } = await retrieve('db password+');
    const again = await get(createStructured, {
      ...inVault(),
      body: { name: 'CONFIG', data: { only: 'one' } },
    });
    expect(again).toMatchObject({ ingot_id, name: 'CONFIG', version: 1, key_count: 1 });
    expect(await retrieve('db password+')).toMatchObject({ values: {}, missing_keys: ['db password+'] });
    expect((await burn(values?.['db password+']?.spark_id as string)).payload).toBe('newer');
    expect(await valueOf('only')).toBe('one');
  });

  it('ENV-11 VLT-25 STR-07: count towards their vault and the pools of the account', async () => {
    expect(await get(readVault, inVault())).toMatchObject({ ingot_count: 1, storage_bytes: 3 });
    expect(await get(listStructured, { ...inVault(), query: { limit: 1 } })).toMatchObject({ count: 1 });
    // Including the three Sparks of STR-11, which are never read.
    await stores(3 + 3 * 'correct horse'.length);
  });
});

describe('AMB-56 ING-16: an ingot that a product manages', () => {
  const invite = () => ({ ...of().params, invite_id: newId('inv_') });
  const code = 'A'.repeat(22);

  it('appears in lists and searches', async () => {
    const query = { limit: 10, sort_by: 'name', sort_order: 'asc' } as const;
    const { ingots } = await get(listIngots, { ...inVault(), query });
    expect(ingots).toMatchObject([
      { ingot_id, managed_by: STRUCTURED_PRODUCT, size_bytes: 3, folder_id: null },
    ]);
    const search = { q: 'conf', limit: 10, sort_by: 'created_at', sort_order: 'asc' } as const;
    expect((await get(searchIngots, { ...inVault(), query: search })).ingots).toHaveLength(1);
  });

  it('is refused by every route of ingots and of sharing, by id and by name', async () => {
    await get(updateVault, { ...inVault(), body: { public_file_sharing: true } });
    for (const reference of [ingot_id, ':config']) {
      const input = of(reference);
      const { invite_id } = invite();
      const params = { ...input.params, invite_id };
      const identity = newEmail();
      const refused = [
        await refusal(readIngot, input),
        await refusal(downloadIngot, { ...input, body: { stream: false } }),
        await refusal(replaceIngot, { ...input, body: { size_bytes: 1 } }),
        await refusal(updateIngot, { ...input, body: { name: 'Mine' } }),
        await refusal(deleteIngot, input),
        await refusal(readSharing, input),
        await refusal(updateSharing, { ...input, body: { shared: true, visibility: 'public' } }),
        await refusal(inviteToIngot, { ...input, body: { identity } }),
        await refusal(revokeInvite, { params }),
        await refusal(resendInvite, { params }),
        await refusal(createIngotLink, { ...input, body: { expires_in_seconds: 300 } }),
        await refusal(deliverIngotLink, { params: { ...input.params, code }, body: { identity } }),
      ];
      const managed = '403 FORBIDDEN: This ingot is managed by a product. Use its endpoints.';
      expect(refused).toEqual(refused.map(() => managed));
    }
    expect(await get(readStructured, { ...of(), query: {} })).toMatchObject({ name: 'CONFIG', version: 1 });
  });

  it('is not replaced by an upload of the same name', async () => {
    const body = { name: 'config', size_bytes: 1, content_type: 'text/plain' };
    expect(await refusal(createIngot, { ...inVault(), body })).toMatch(/^4(03 FORBIDDEN|09 CONFLICT)/);
  });
});

describe('STR-21 STR-22 STR-23 STR-17: a structured ingot', () => {
  const upload = async (name: string, folder_id?: string) => {
    const content = Buffer.from('a file');
    const body = { name, size_bytes: content.length, content_type: 'text/plain', folder_id };
    return (await uploadContent(await call(createIngot, { ...inVault(), body }), content)).ingot_id;
  };
  /** The answers of all routes that name one ingot. */
  const answersTo = async (reference: string) => [
    await refusal(readStructured, { ...of(reference), query: {} }),
    await refusal(readStructured, { ...of(reference), query: { keys: 'only' } }),
    await refusal(updateStructured, { ...of(reference), body: { set: { a: 'b' } } }),
    await refusal(deleteStructured, of(reference)),
  ];
  const all = (pattern: string) => Array.from({ length: 4 }, () => expect.stringMatching(pattern));

  it('STR-23: is found by `:name`, until an ingot in another folder has the same name', async () => {
    expect(await get(readStructured, { ...of(':Config'), query: {} })).toMatchObject({ ingot_id });
    const { folder_id } = await get(createFolder, { ...inVault(), body: { name: 'Archive' } });
    const file = await upload('config', folder_id);
    expect(await answersTo(':config')).toEqual(all('^409 CONFLICT: Several folders'));
    const { error } = await call(readStructured, { ...of(':config'), query: {} });
    expect(error?.details).toMatchObject({
      candidates: expect.arrayContaining([
        { ingot_id, folder_id: null },
        { ingot_id: file, folder_id },
      ]),
    });
    expect(await get(readStructured, { ...of(), query: {} })).toMatchObject({ ingot_id });
    // Only structured ingots are overwritten by name (AMB-43).
    const again = { ...inVault(), body: { name: 'config', data: { only: 'one' } } };
    expect(await get(createStructured, again)).toMatchObject({ ingot_id, version: 1 });
    expect((await call(deleteIngot, of(file))).status).toBe(204);
    expect(await get(readStructured, { ...of(':config'), query: {} })).toMatchObject({ ingot_id });
  });

  it('STR-21 STR-22 AMB-43: is distinct from a file, whose id is refused and whose name conflicts', async () => {
    const file = await upload('Report');
    for (const reference of [file, ':report'])
      expect(await answersTo(reference)).toEqual(all('^403 FORBIDDEN: This ingot is not a structured one'));
    for (const reference of [newId('ing_'), ':nothing', 'nonsense'])
      expect(await answersTo(reference)).toEqual(all('^404 NOT_FOUND: Ingot not found'));
    const taken = { ...inVault(), body: { name: 'REPORT', data: {} } };
    expect(await refusal(createStructured, taken)).toMatch(/^409 CONFLICT/);
    expect((await call(deleteIngot, of(file))).status).toBe(204);
  });

  it('STR-17: is deleted, after which its name is available', async () => {
    expect((await call(deleteStructured, of())).status).toBe(204);
    expect(await answersTo(ingot_id)).toEqual(all('^404 NOT_FOUND'));
    const made = await get(createStructured, { ...inVault(), body: { name: 'config', data: { k: 'four' } } });
    expect(made.ingot_id).not.toBe(ingot_id);
    ({ ingot_id } = made);
    expect(await get(readVault, inVault())).toMatchObject({ ingot_count: 1, storage_bytes: 4 });
  });

  it('VLT-23 VLT-24: is deleted with its vault, which releases its storage', async () => {
    await stores(4 + 3 * 'correct horse'.length);
    expect((await call(deleteVault, inVault())).status).toBe(202);
    // Until the worker has removed the sessions of the vault it is 404; then the token is unknown.
    const refused = /^(404 NOT_FOUND: Vault|401 AUTHENTICATION_ERROR)/;
    expect(await refusal(readStructured, { ...of(), query: {} })).toMatch(refused);
    await stores(3 * 'correct horse'.length);
  });
});
