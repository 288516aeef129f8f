import { beforeAll, describe, expect, it } from '@jest/globals';
import { VALUE_BYTES_MAX, type KeyValues } from '@vaultsvc/contracts/vaults';
import { usePlatform } from '../testing/platform.js';
import { newStructuredFixture, type StructuredFixture } from '../testing/structured.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
let fixture: StructuredFixture;
beforeAll(async () => {
  fixture = await newStructuredFixture(platform);
});

/** Any text is a valid name (ADR 14); these often break programs. */
const HOSTILE = [
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'then',
    'toJSON',
    'length',
  ],
  ...[
    '\0',
    'a\0',
    'a\0b',
    '\x7f',
    '\r\n',
    '\u2028',
    '\ufeff',
    '\ufeffa',
    '\ufffd',
    '\uffff',
    ' ',
    ' a',
    'a ',
    '\t',
  ],
  ...['é', 'e\u0301', 'Å', '\u212b', 'ﬁ', 'fi', 'ß', 'ẞ', 'ss', 'İ', 'ı', 'i', 'I', 'a', 'A', 'ａ'],
  ...['😀', '👨‍👩‍👧‍👦', '\u{10ffff}', '\u202etxt', '\u200b', '\u200d'],
  ...[
    '0',
    '1',
    '-1',
    '01',
    '1.0',
    '10',
    '2',
    'null',
    'true',
    'undefined',
    'NaN',
    '{}',
    '[]',
    '"',
    '\\',
    "'",
    '`',
    '$1',
  ],
  ...[
    '../..',
    '/',
    '%2C',
    '&',
    '?keys=',
    '#',
    ':',
    ';',
    "'; DROP TABLE ingots; --",
    '${a}',
    '{{a}}',
    '<script>',
  ],
  ...['x'.repeat(256), '😀'.repeat(256), 'é'.repeat(256), '\0'.repeat(256)],
];

/** Parsed like a body: all are own properties, `__proto__` too. */
const dataOf = (value: (name: string) => unknown, names: readonly string[] = HOSTILE) =>
  JSON.parse(
    `{${names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(value(name))}`).join()}}`,
  ) as KeyValues;
const inOrder = (names: readonly string[]) =>
  [...names].sort((one, other) => Buffer.from(one).compare(Buffer.from(other)));
const expected = (value: (name: string) => unknown, names: readonly string[] = HOSTILE) =>
  new Map(names.map((name) => [name, String(value(name))]));

describe('hostile key names', () => {
  it('STR-04 STR-09 STR-15 STR-17: are created, listed, changed and deleted like any other', async () => {
    expect(new Set(HOSTILE).size).toBe(HOSTILE.length);
    const { ingot_id, key_count } = await fixture.create(dataOf((name) => `value of ${name}`));
    expect(key_count).toBe(HOSTILE.length);
    expect((await fixture.describe(ingot_id)).keys).toEqual(inOrder(HOSTILE));
    expect(await fixture.stored(ingot_id)).toEqual(expected((name) => `value of ${name}`));

    const [kept, gone] = [HOSTILE.filter((_, i) => i % 2 > 0), HOSTILE.filter((_, i) => i % 2 === 0)];
    await fixture.patch(ingot_id, { set: dataOf(() => 'new', kept), delete: gone });
    expect((await fixture.describe(ingot_id)).keys).toEqual(inOrder(kept));
    expect(await fixture.stored(ingot_id)).toEqual(expected(() => 'new', kept));

    await fixture.patch(ingot_id, { set: dataOf((name) => name, gone), delete: kept });
    expect(await fixture.stored(ingot_id)).toEqual(expected((name) => name, gone));
    await fixture.patch(ingot_id, { delete: gone });
    expect(await fixture.describe(ingot_id)).toMatchObject({ version: 4, key_count: 0, keys: [] });
    await fixture.remove(ingot_id);
  });

  it('STR-04: do not pollute Object.prototype', async () => {
    await fixture.create(dataOf(() => ({ polluted: true, toString: 'x' })));
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(String({})).toBe('[object Object]');
  });

  it('OPEN-19: are preserved inside values', async () => {
    const data = { value: dataOf(() => 1) };
    const { ingot_id } = await fixture.create(data);
    expect((await fixture.stored(ingot_id)).get('value')).toBe(JSON.stringify(data.value));
  });

  it('STR-14: are distinct: deleting one deletes no similar name', async () => {
    const names = ['é', 'e\u0301', 'K', 'k', '\u212a', 'a\0', 'a'];
    const { ingot_id } = await fixture.create(dataOf((name) => name, names));
    await fixture.patch(ingot_id, { delete: ['e\u0301', '\u212a', 'a'] });
    expect((await fixture.describe(ingot_id)).keys).toEqual(inOrder(['é', 'K', 'k', 'a\0']));
  });
});

describe('the name of a structured ingot', () => {
  it.each(['__proto__', 'constructor', '😀'.repeat(255), '..', 'a/b', ':x', '%00'])(
    'STR-23: accepts any valid ingot name and finds the ingot by it: %j',
    async (name) => {
      const { ingot_id } = await fixture.create({ a: 1 }, name);
      expect(await fixture.describe(`:${name}`)).toMatchObject({ ingot_id, name });
      await fixture.remove(`:${name}`);
    },
  );

  it('STR-06: is equal in another normalization form', async () => {
    const { ingot_id } = await fixture.create({}, 'Ångström');
    expect(await fixture.create({}, 'A\u030angstro\u0308m')).toMatchObject({ ingot_id, version: 1 });
  });
});

describe('values of different sizes', () => {
  it('STR-04: are stored byte for byte', async () => {
    const sizes = [0, 1, 15, 16, 17, 65_535, 65_536, 256_000, 256_001, VALUE_BYTES_MAX];
    const { ingot_id } = await fixture.create(
      Object.fromEntries(sizes.map((size) => [`${size}`, '\0'.repeat(size)])),
    );
    const kept = await fixture.stored(ingot_id);
    for (const size of sizes) expect(kept.get(`${size}`)).toBe('\0'.repeat(size));
  });
});
