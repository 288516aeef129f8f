import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nameKey } from '@vaultsvc/contracts/names';
import { prefixRange } from '../keys/name-key.js';

const isWithin = (key: string, [from, below]: [string, string | null]) =>
  Buffer.compare(Buffer.from(key), Buffer.from(from)) >= 0 &&
  (below === null || Buffer.compare(Buffer.from(key), Buffer.from(below)) < 0);

/** Characters next to the boundaries, letters, wildcards and special characters of regular expressions. */
const letters = [
  'a',
  'b',
  '%',
  '_',
  '\\',
  '\u007f',
  '\u0080',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '\u{10000}',
  '\u{10ffff}',
];
const text = fc.array(fc.constantFrom(...letters), { maxLength: 4 }).map((all) => all.join(''));

describe('ING-21: prefixRange', () => {
  it('contains exactly the texts with the prefix, in the order of bytes', () => {
    fc.assert(
      fc.property(text, text, (beginning, name) => {
        const [prefix, key] = [nameKey(beginning), nameKey(name)];
        return isWithin(key, prefixRange(beginning)) === key.startsWith(prefix);
      }),
      { numRuns: 20_000 },
    );
  });

  it('returns bounds that are valid text', () => {
    expect(prefixRange('Rep')).toEqual(['rep', 'req']);
    expect(prefixRange('a\ud7ff')).toEqual(['a\ud7ff', 'a\ue000']);
    expect(prefixRange('a\u{10ffff}')).toEqual(['a\u{10ffff}', 'b']);
    expect(prefixRange('\u{10ffff}')).toEqual(['\u{10ffff}', null]);
  });
});
