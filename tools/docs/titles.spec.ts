import { describe, expect, it } from '@jest/globals';
import { parseText } from './sources.mjs';
import { titlesIn } from './titles.mjs';

const titles = (text: string) => titlesIn(parseText('some.spec.ts', text));

describe('Guarantees are read from the titles of tests', () => {
  it('takes the ids off the front of a title', () => {
    expect(titles(`it('SPK-30 SPK-31: fifty readers, one plaintext', () => {})`)).toEqual([
      { ids: ['SPK-30', 'SPK-31'], guarantee: 'fifty readers, one plaintext' },
    ]);
  });

  it('gives the ids of a group to the tests inside it', () => {
    const text = `describe('ENV-08: times', () => { describe('of lists', () => { it('are seconds', () => {}) }) })`;
    expect(titles(text)).toEqual([{ ids: ['ENV-08'], guarantee: 'are seconds' }]);
  });

  it('reads tables of tests, with their values left open', () => {
    const text =
      "describe('AUTH-03', () => { it.each([[1]])('refuses %s', () => {}); it.each`a`('takes $name', () => {}) })";
    expect(titles(text).map(({ guarantee }) => guarantee)).toEqual(['refuses …', 'takes …']);
  });

  it('reads titles that are joined or hold values', () => {
    const text = "it('OPEN-51: one ' + 'two', () => {}); it(`MISC-03: ${a} of ${b}`, () => {})";
    expect(titles(text).map(({ guarantee }) => guarantee)).toEqual(['one two', '… of …']);
  });

  it('takes no other call for a test', () => {
    expect(titles(`expect('SPK-30: x'); commit('SPK-31: y')`)).toEqual([]);
  });
});
