import { describe, expect, it } from '@jest/globals';
import { parseText } from './sources.ts';
import { titlesIn } from './titles.ts';

const titles = (text: string) => titlesIn(parseText('some.spec.ts', text));
const guarantees = (text: string) => titles(text).map(({ guarantee }) => guarantee);

describe('The reader of test titles', () => {
  it('separates the ids in front of a title from its sentence', () => {
    expect(titles(`it('SPK-30 TRAP 12: fifty readers, one plaintext', () => {})`)).toEqual([
      { ids: ['SPK-30', 'TRAP 12'], groups: [], guarantee: 'fifty readers, one plaintext' },
    ]);
  });

  it('passes the ids and titles of a group to the tests inside it', () => {
    const text = `describe('ENV-08: times', () => { describe('of lists', () => { it('are seconds', () => {}) }) })`;
    expect(titles(text)).toEqual([
      { ids: ['ENV-08'], groups: ['times', 'of lists'], guarantee: 'are seconds' },
    ]);
  });

  it('keeps no group whose title has ids alone', () => {
    expect(titles(`describe('AUTH-03', () => { it('refuses more', () => {}) })`)).toEqual([
      { ids: ['AUTH-03'], groups: [], guarantee: 'refuses more' },
    ]);
  });

  it.each([
    ['lists', `it.each([['a', 1], ['b', 2]])('%s has %i', () => {})`, ['a has 1', 'b has 2']],
    [
      'single values',
      `it.each(['a', undefined])('refuses %j', () => {})`,
      ['refuses a', 'refuses undefined'],
    ],
    ['objects', `it.each([{ by: { name: 'x' } }])('opened by $by.name', () => {})`, ['opened by x']],
    ['constants', `const rows = [['a']] as const; it.each(rows)('has %s', () => {})`, ['has a']],
    ['repetitions', `it.each([['x'.repeat(9)]])('refuses %s', () => {})`, ['refuses x × 9']],
    ['keys', `const all = { a: 1, b: 2 }; it.each(Object.keys(all))('has %s', () => {})`, ['has a', 'has b']],
    [
      'bound parameters',
      "describe.each([['a']])('in %s', (name) => { it(`is ${name}`, () => {}) })",
      ['is a'],
    ],
    ['loops', "for (const [name] of [['a'], ['b']]) it(`is ${name}`, () => {})", ['is a', 'is b']],
  ])('writes a title for each row of literal %s', (_, text, expected) => {
    expect(guarantees(text)).toEqual(expected);
  });

  it.each([
    ['a column, by its parameter', `it.each(rowsOf(x))('%s is one', (sparkId) => {})`, '<spark id> is one'],
    ['a property, by its name', `it.each(rows)('$file.bytes bytes', () => {})`, '<file bytes> bytes'],
    ['a column without a name', `it.each(rows)('refuses %s', (_) => {})`, 'refuses <case>'],
    ['an expression, by its identifier', 'it(`of ${limit(callsMax)} calls`, () => {})', 'of <limit> calls'],
  ])('names %s where the value is known only at run time', (_, text, expected) => {
    expect(guarantees(text)).toEqual([expected]);
  });

  it('names the columns of a table of more than twelve rows', () => {
    const rows = JSON.stringify(Array.from({ length: 13 }, (_, index) => [index]));
    expect(guarantees(`it.each(${rows})('accepts %i', (size) => {})`)).toEqual(['accepts <size>']);
  });

  it('joins parts and inserts constants', () => {
    const text =
      "const max = 2 as const; it('OPEN-51: one ' + 'two', () => {}); it(`MISC-03: ${max} of ${'x'}`, () => {})";
    expect(guarantees(text)).toEqual(['one two', '2 of x']);
  });

  it('ignores calls of other functions', () => {
    expect(titles(`expect('SPK-30: x'); commit('SPK-31: y')`)).toEqual([]);
  });
});
