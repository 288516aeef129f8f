import { beforeAll, describe, expect, it } from '@jest/globals';
import { AppError, type AccountContext } from '@vaultsvc/contracts';
import { readSpark } from '@vaultsvc/contracts/sparks';
import { readStructured, type KeyValues } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { accountContext, reasonOf } from '@vaultsvc/testing/harness';
import { newRetrievalFixture, type Retrieved, type RetrievalFixture } from '../../testing/retrieval.js';
import { useSharingPlatform } from '../../testing/sharing.js';

const SPARK_BYTES = 256_000;

const platform = useSharingPlatform();
let fixture: RetrievalFixture;
beforeAll(async () => {
  fixture = await newRetrievalFixture(platform);
});

const made = async (data: KeyValues) => (await fixture.create(data)).ingot_id;
const numbered = (count: number, value: (index: number) => unknown = (index) => index) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, value(index)]));
const textsOf = async (answer: Retrieved) =>
  Object.fromEntries([...(await fixture.read(answer))].map(([name, { payload }]) => [name, payload]));
const problemOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: AppError) => error,
  );

describe('GET values of a structured ingot', () => {
  it('STR-12: returns a Spark per key and the names of missing keys, never a value', async () => {
    const ingot_id = await made({ DB_URL: 'postgres://hunter2', PORT: 5_432 });
    const answer = await fixture.retrieve(ingot_id, ['DB_URL', 'NOT_THERE', 'PORT']);
    const value = { spark_id: expect.stringMatching(/^spk_/), expires_at: expect.any(Number) };
    expect(answer).toEqual({ ingot_id, values: { DB_URL: value, PORT: value }, missing_keys: ['NOT_THERE'] });
    expect(JSON.stringify(answer)).not.toMatch(/hunter2|5432/);
  });

  it('STR-13: returns Sparks that only the account can read, once', async () => {
    const { values } = await fixture.retrieve(await made({ A: 'hunter2' }), ['A']);
    const spark_id = values.A?.spark_id as string;
    const read = (caller: AccountContext) => platform.call(readSpark, { params: { spark_id } }, caller);
    expect(await reasonOf(read(accountContext()))).toBe('SPARK_NOT_FOUND');
    expect(await read(fixture.caller)).toMatchObject({
      payload: 'hunter2',
      content_type: 'text/plain',
      size_bytes: 7,
    });
    expect(await reasonOf(read(fixture.caller))).toBe('SPARK_BURNED');
  });

  it('STR-12: succeeds when keys are missing, even all of them', async () => {
    const ingot_id = await made({ there: 'x' });
    expect(await fixture.retrieve(ingot_id, ['z', 'a', 'z', 'm'])).toEqual({
      ingot_id,
      values: {},
      missing_keys: ['z', 'a', 'm'],
    });
    expect(await fixture.retrieve(await made({}), ['a'])).toMatchObject({ values: {}, missing_keys: ['a'] });
  });

  it('STR-12: returns one Spark for a key that is named twice', async () => {
    const answer = await fixture.retrieve(await made({ a: '1', b: '2' }), ['b', 'a', 'b', 'a']);
    expect(await textsOf(answer)).toEqual({ a: '1', b: '2' });
    const [{ sparks }] = (await platform.sparksSql<{ sparks: number }>(
      `SELECT count(*) AS sparks FROM sparks WHERE id = ANY($1::text[])`,
      [Object.values(answer.values).map(({ spark_id }) => spark_id)],
    )) as [{ sparks: number }];
    expect(sparks).toBe(2);
  });

  it('STR-10: accepts a hundred keys and rejects more', async () => {
    const ingot_id = await made(numbered(101, (index) => `value ${index}`));
    const names = Array.from({ length: 100 }, (_, index) => `key ${index}`);
    const texts = await textsOf(await fixture.retrieve(ingot_id, names));
    expect(texts).toEqual(numbered(100, (index) => `value ${index}`));
    expect(await reasonOf(fixture.retrieve(ingot_id, [...names, 'key 100']))).toBe('VALIDATION_ERROR');
  });

  it.each(['', ',', 'a,', 'a,,b', 'x'.repeat(257)])('STR-10: rejects %j as keys with 400', async (keys) => {
    expect(await reasonOf(fixture.retrieve(await made({ a: 1 }), keys))).toBe('VALIDATION_ERROR');
  });

  it('STR-23: finds the ingot by its name too', async () => {
    const name = newId('named_');
    const { ingot_id } = await fixture.create({ a: 'x' }, name);
    expect(await fixture.retrieve(`:${name.toUpperCase()}`, ['a'])).toMatchObject({ ingot_id });
  });
});

describe('STR-11: the lifetime of a retrieved value', () => {
  const lifetimeOf = async (ttl?: number) => {
    const { values } = await fixture.retrieve(await made({ a: 'x' }), ['a'], ttl);
    const { spark_id, expires_at } = values.a as { spark_id: string; expires_at: number };
    const [row] = await platform.sparksSql(
      `SELECT extract(epoch FROM expires_at - created_at)::int AS seconds, ttl_minutes,
              floor(extract(epoch FROM expires_at))::bigint AS expires FROM sparks WHERE id = $1`,
      [spark_id],
    );
    expect(row?.expires).toBe(expires_at);
    return [row?.seconds, row?.ttl_minutes];
  };

  it('is 15 minutes by default, or the requested number of seconds', async () => {
    expect(await lifetimeOf()).toEqual([900, 15]);
    expect(await lifetimeOf(90)).toEqual([90, 2]);
    expect([await lifetimeOf(60), await lifetimeOf(86_400)]).toEqual([
      [60, 1],
      [86_400, 1_440],
    ]);
  });

  it.each([59, 86_401, 90.5, 0, -60])('cannot be %d seconds', async (ttl) => {
    expect(await reasonOf(fixture.retrieve(await made({ a: 1 }), ['a'], ttl))).toBe('VALIDATION_ERROR');
  });

  it('cannot be given without keys', async () => {
    const params = { vault_id: fixture.vault_id, ingot_id: await made({ a: 1 }) };
    expect(await reasonOf(fixture.call(readStructured, { params, query: { ttl: 90 } }))).toBe(
      'VALIDATION_ERROR',
    );
  });
});

describe('OPEN-19: a retrieved value', () => {
  const text = ['a string', '', ' \n\t', '"quoted"', 'é🔑\u2028\0', '[1]', 'null'];
  it.each(text)('is the string %j as it was stored', async (value) => {
    const [content] = (await fixture.read(await fixture.retrieve(await made({ a: value }), ['a']))).values();
    expect(content).toMatchObject({
      payload: value,
      content_type: 'text/plain',
      size_bytes: Buffer.byteLength(value),
    });
  });

  it.each(['0', '-1.5', '1e-7', 'true', 'false', 'null', '[]', '{}', '[1,[null,{"a":"é"}]]'])(
    'is the JSON text %s as it was stored',
    async (json) => {
      const [content] = (
        await fixture.read(await fixture.retrieve(await made({ a: JSON.parse(json) }), ['a']))
      ).values();
      expect(content).toMatchObject({
        payload: json,
        content_type: 'application/json',
        size_bytes: Buffer.byteLength(json),
      });
    },
  );

  it('keeps names inside JSON, `__proto__` among them', async () => {
    const json = '{"__proto__":{"admin":true},"constructor":[],"nested":{"__proto__":null}}';
    const ingot_id = await made({ a: JSON.parse(json) });
    expect(await textsOf(await fixture.retrieve(ingot_id, ['a']))).toEqual({ a: json });
  });

  it('may consist of as many control characters as a Spark holds bytes', async () => {
    const value = '\u0001'.repeat(SPARK_BYTES);
    const { a } = await textsOf(await fixture.retrieve(await made({ a: value }), ['a']));
    expect(a === value).toBe(true);
  });
});

describe('hostile names of keys', () => {
  const hostile = [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '1',
    ' ',
    ' a ',
    '"',
    '\\',
    '\0',
    '\r\n',
    'é',
    'e\u0301',
    '\u2028',
    '🔑'.repeat(256),
    "'; DROP TABLE structured_values; --",
    '%',
    '${a}',
  ];

  it('STR-12: find only their own values, and are returned unchanged', async () => {
    const data = Object.fromEntries(hostile.map((name, index) => [name, `value ${index}`]));
    const answer = await fixture.retrieve(await made(data), hostile);
    expect(Object.keys(answer.values).sort()).toEqual([...hostile].sort());
    expect(answer.missing_keys).toEqual([]);
    expect(await fixture.read(answer).then((read) => hostile.map((name) => read.get(name)?.payload))).toEqual(
      hostile.map((_, index) => `value ${index}`),
    );
  });

  it('STR-12: are missing when no such key exists', async () => {
    const answer = await fixture.retrieve(await made({ other: 'x' }), hostile);
    expect(Object.keys(answer.values)).toEqual([]);
    expect(answer.missing_keys).toEqual(hostile);
  });
});

describe('STR-24: values too large for a Spark', () => {
  it('are stored but not retrieved, and no Spark of the call is created', async () => {
    const own = await newRetrievalFixture(platform);
    const { ingot_id } = await own.create({
      small: 'x',
      large: 'y'.repeat(300_000),
      'LARGE ': 'z'.repeat(256_001),
    });
    const error = await problemOf(own.retrieve(ingot_id, ['LARGE ', 'missing', 'small', 'large']));
    expect(error).toMatchObject({
      reason: 'VALIDATION_ERROR',
      details: { fields: [{ field: 'keys' }], oversize_keys: ['LARGE ', 'large'] },
    });
    expect([await own.unread(), await own.heldBytes()]).toEqual([0, 0]);
    expect(await own.counters()).toMatchObject({ total_access_count: 0 });
    expect(await own.retrieve(ingot_id, ['small'])).toMatchObject({ missing_keys: [] });
  });

  it.each<[string, unknown, number]>([
    ['a string', 'a'.repeat(SPARK_BYTES), SPARK_BYTES],
    ['letters of two bytes', 'é'.repeat(SPARK_BYTES / 2), SPARK_BYTES],
    ['JSON', ['a'.repeat(SPARK_BYTES - 4)], SPARK_BYTES],
  ])('do not include %s of 256,000 bytes', async (_, value, sizeBytes) => {
    const [content] = (await fixture.read(await fixture.retrieve(await made({ a: value }), ['a']))).values();
    expect(content?.size_bytes).toBe(sizeBytes);
    expect(content?.payload === (typeof value === 'string' ? value : JSON.stringify(value))).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a string', 'a'.repeat(SPARK_BYTES + 1)],
    ['letters of two bytes', `${'é'.repeat(SPARK_BYTES / 2)}a`],
    ['JSON', ['a'.repeat(SPARK_BYTES - 3)]],
    ['JSON of a string that alone would fit', ['\u0001'.repeat(50_000)]],
  ])('include %s above 256,000 bytes', async (_, value) => {
    const error = await problemOf(fixture.retrieve(await made({ a: value }), ['a']));
    expect(error).toMatchObject({ reason: 'VALIDATION_ERROR', details: { oversize_keys: ['a'] } });
  });
});

describe('access to values', () => {
  it('AMB-13: answers 404 and 403 before 402, and ignores an exhausted storage pool', async () => {
    const poor = (exhausted: 'storage' | 'bandwidth') => ({
      ...fixture.at('read'),
      pools: { plan: 'active' as const, exhausted: [exhausted] },
    });
    const ingot_id = await made({ a: 'x', large: 'y'.repeat(300_000) });
    const file = await fixture.store();
    const reason = (id: string, keys = ['a']) =>
      reasonOf(fixture.retrieve(id, keys, undefined, poor('bandwidth')));
    expect(await reason(newId('ing_'))).toBe('INGOT_NOT_FOUND');
    expect(await reason(file.ingot_id)).toBe('INGOT_NOT_STRUCTURED');
    expect(await reason(ingot_id)).toBe('QUOTA_EXCEEDED');
    expect(await reason(ingot_id, ['large'])).toBe('QUOTA_EXCEEDED');
    expect(await fixture.retrieve(ingot_id, ['a'], undefined, poor('storage'))).toMatchObject({
      missing_keys: [],
    });
  });

  it('STR-22: answers 404 for a deleted ingot, whose earlier Sparks can still be read', async () => {
    const ingot_id = await made({ a: 'kept' });
    const answer = await fixture.retrieve(ingot_id, ['a']);
    await fixture.remove(ingot_id);
    expect(await reasonOf(fixture.retrieve(ingot_id, ['a']))).toBe('INGOT_NOT_FOUND');
    expect(await textsOf(answer)).toEqual({ a: 'kept' });
  });

  it('answers 404 for an ingot of another account or vault', async () => {
    const other = await newRetrievalFixture(platform);
    const ingot_id = await made({ a: 'x' });
    expect(await reasonOf(other.retrieve(ingot_id, ['a']))).toBe('INGOT_NOT_FOUND');
  });
});

describe('a retrieval of values', () => {
  it('VLT-25: counts an access and the released bytes, and publishes an event without names', async () => {
    const own = await newRetrievalFixture(platform);
    const { ingot_id } = await own.create({ SECRET_NAME: 'hunter2', other: 'x' });
    const written = await own.counters();
    await own.retrieve(ingot_id, ['SECRET_NAME', 'missing']);
    await own.retrieve(ingot_id, ['SECRET_NAME', 'other']);
    await own.retrieve(ingot_id, ['missing']);
    const moved = { total_access_count: 3, total_bandwidth_bytes: 8 + 7 + 8 };
    expect(await own.counters()).toEqual({ ...written, ...moved });
    expect(
      await platform.sql(`SELECT access_count, total_bandwidth_bytes FROM ingots WHERE id = $1`, [ingot_id]),
    ).toEqual([{ access_count: 3, total_bandwidth_bytes: 23 }]);
    const published = (await own.events()).filter(({ name }) => name === 'vaults.structured-retrieved');
    const { accountId: account_id, credentialId: actor_id } = own.caller.credential;
    const of = (value_count: number) => ({
      vault_id: own.vault_id,
      ingot_id,
      account_id,
      actor_type: 'api_key',
      actor_id,
      value_count,
    });
    expect(published.map(({ payload }) => payload)).toEqual([of(1), of(2), of(0)]);
  });

  it('does not change the version, size or updated_at of the ingot', async () => {
    const { ingot_id } = await fixture.create({ a: 'x' });
    const before = await fixture.describe(ingot_id);
    await fixture.retrieve(ingot_id, ['a']);
    expect(await fixture.describe(ingot_id)).toEqual(before);
  });
});
