import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nameKey } from './name-key.js';

describe('VLT-02: nameKey', () => {
  it.each([
    ['Ops', 'oPS'],
    ['Ä', 'A\u0308'],
    ['ﬁle', 'FILE'],
    ['Ａ１', 'a1'],
    ['ΑΣΟΣ', 'ασος'],
    ['ΑΣΟΣ', 'ασοσ'],
    ['\u212a', 'k'],
  ])('%s and %s', (one, other) => expect(nameKey(one)).toBe(nameKey(other)));

  it('is idempotent for all names', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => nameKey(nameKey(name)) === nameKey(name)),
    );
    for (let point = 0; point <= 0x10ffff; point += 1) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const key = nameKey(String.fromCodePoint(point));
      if (nameKey(key) !== key) throw new Error(`U+${point.toString(16)}`);
    }
  });
});
