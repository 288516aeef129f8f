import { describe, expect, it } from '@jest/globals';
import { AppError, decode, decodeQuery } from '@vaultsvc/contracts';
import { KEY_NAME_MAX, namesInQuery, RETRIEVED_KEYS_MAX, STRUCTURED_KEYS_MAX } from './key-values.js';
import {
  NewStructured,
  STRUCTURED_BODY_BYTES_MAX,
  StructuredChange,
  StructuredQuery,
} from './structured-ingot.js';

/** A parsed body: its own properties are those of its text. */
const parsed = (text: string): unknown => JSON.parse(text);
const write = (data: unknown) => decode(NewStructured, { name: 'n', data });
const problemOf = (attempt: () => unknown): string => {
  try {
    attempt();
  } catch (error) {
    const { fields } = (error as AppError).details as { fields: { message: string }[] };
    return fields.map(({ message }) => message).join('; ');
  }
  return 'none';
};
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `k${n}`);
const dataOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 1]));

describe('Key names in a body', () => {
  it('STR-04: may be any text, __proto__ and constructor included, and are all kept', () => {
    const names = [
      '__proto__',
      'constructor',
      'toString',
      '\0',
      ' ',
      '.',
      '𝄞',
      'é',
      'e\u0301',
      '{"a":1}',
      '%2C',
    ];
    const text = `{${names.map((name) => `${JSON.stringify(name)}:1`).join(',')}}`;
    expect(Object.keys(write(parsed(text)).data).toSorted()).toEqual(names.toSorted());
  });

  it('STR-04: have 1 to 256 code points', () => {
    expect(problemOf(() => write({ ['𝄞'.repeat(KEY_NAME_MAX)]: 1 }))).toBe('none');
    expect(problemOf(() => write({ a: 1, ['x'.repeat(KEY_NAME_MAX + 1)]: 1 }))).toBe(
      'data key 2: a name must have at most 256 characters',
    );
  });

  it.each([
    ['', 'must not be empty'],
    ['a,b', 'must not hold a comma'],
    ['\ud800', 'must be well-formed Unicode'],
  ])('STR-10: are refused in data, set and delete when ?keys= could not express them: %j', (name, says) => {
    expect(problemOf(() => write({ ok: 1, [name]: 1 }))).toBe(`data key 2: a name ${says}`);
    expect(problemOf(() => decode(StructuredChange, { set: { [name]: 1 } }))).toContain(says);
    expect(problemOf(() => decode(StructuredChange, { delete: ['ok', name] }))).toBe(
      `delete key 2: a name ${says}`,
    );
  });

  it('STR-03: number at most 10,000 in data and in delete', () => {
    const names = numbered(STRUCTURED_KEYS_MAX);
    expect(problemOf(() => write(dataOf(names)))).toBe('none');
    expect(problemOf(() => write(dataOf([...names, 'more'])))).toBe('data must have at most 10000 keys');
    expect(problemOf(() => decode(StructuredChange, { delete: [...names, 'more'] }))).toBe(
      'delete must hold at most 10000 names',
    );
  });

  it.each([[[]], ['text'], [1], [null], [true]])(
    'STR-02: are refused when data is not an object: %j',
    (data) => {
      expect(problemOf(() => write(data))).toBe('data must be an object of keys and their values');
    },
  );

  it.each(['a', { a: 1 }, [1], [null], null])(
    'STR-14: are refused when delete is not a list of strings: %j',
    (names) => {
      expect(problemOf(() => decode(StructuredChange, { delete: names }))).toBe(
        'delete must be a list of names of keys',
      );
    },
  );
});

describe('Key names in a query', () => {
  const query = (keys: string) => decodeQuery(StructuredQuery, new URLSearchParams({ keys }));

  it('STR-10: are separated by commas, number at most 100 and are not empty', () => {
    expect(problemOf(() => query(numbered(RETRIEVED_KEYS_MAX).join(',')))).toBe('none');
    expect(problemOf(() => query(numbered(RETRIEVED_KEYS_MAX + 1).join(',')))).toBe(
      'keys must name at most 100 keys',
    );
    for (const [keys, place] of [
      ['', 1],
      ['a,', 2],
      [',a', 1],
      ['a,,b', 2],
    ] as const)
      expect(problemOf(() => query(keys))).toBe(`keys key ${place}: a name must not be empty`);
  });

  it('are returned in their order, without repetitions', () => {
    expect(namesInQuery('b,a,b,__proto__')).toEqual(['b', 'a', '__proto__']);
  });

  it('STR-11: accept with them a ttl of 60 to 86,400 whole seconds', () => {
    const ttl = (text: string) => () =>
      decodeQuery(StructuredQuery, new URLSearchParams({ keys: 'a', ttl: text }));
    for (const text of ['60', '86400']) expect(problemOf(ttl(text))).toBe('none');
    for (const text of ['59', '86401', '1e3', '90.5', '', ' 90', 'x'])
      expect(problemOf(ttl(text))).toBe('ttl must be an integer from 60 to 86400');
  });
});

describe('OPEN-19: Values of keys', () => {
  it.each([
    '""',
    '"\\u0000"',
    '0',
    '-1.5',
    '9007199254740991',
    '1e-7',
    'true',
    'null',
    '[]',
    '{"__proto__":{"a":[1]}}',
  ])('are accepted and returned unchanged: %s', (text) => {
    const { data } = write(parsed(`{"k":${text}}`));
    expect(JSON.stringify(data)).toBe(`{"k":${text}}`);
  });

  it.each([
    '1e999',
    '-1e999',
    '9007199254740993',
    '12345678901234567890',
    '[[{"a":1e999}]]',
    '"\\ud800"',
    '{"\\udfff":1}',
  ])('are refused when parsing loses digits or characters: %s', (text) => {
    expect(problemOf(() => write(parsed(`{"ok":1,"k":${text}}`)))).toMatch(/^data key 2: a value must hold/);
  });

  it('are refused when nested more than 32 levels deep', () => {
    const nested = (levels: number) => () =>
      write(parsed(`{"k":${'['.repeat(levels)}${']'.repeat(levels)}}`));
    expect(problemOf(nested(32))).toBe('none');
    expect(problemOf(nested(33))).toMatch(/at most 32 levels deep/);
    expect(problemOf(nested(100_000))).toMatch(/at most 32 levels deep/);
  });

  it('and their names never appear in an error', () => {
    const says = problemOf(() => write({ 'my secret name,': 'x', k: 'hunter2\ud800' }));
    expect(says).not.toMatch(/secret|hunter/);
  });
});

/** Processor time in milliseconds, independent of other processes; the better of two runs. */
function costMs(work: () => void): number {
  const costs = [1, 2].map(() => {
    const started = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1_000;
  });
  return Math.min(...costs);
}

function listOf(member: string): string {
  const count = Math.floor((STRUCTURED_BODY_BYTES_MAX - 40) / (member.length + 1));
  return `{"name":"a","data":{"k":[${Array<string>(count).fill(member).join(',')}]}}`;
}

describe('OPEN-06 OPEN-19: A value that fills the largest body', () => {
  it.each(['null', '""'])('is validated in at most ten times the time of parsing: a list of %s', (member) => {
    const text = listOf(member);
    const parsed: unknown = JSON.parse(text);
    const parseMs = costMs(() => JSON.parse(text));
    expect(costMs(() => decode(NewStructured, parsed))).toBeLessThan(10 * parseMs + 50);
  });
});
