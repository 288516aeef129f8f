import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isSameName, nameKey, simpleCaseFolding } from './index.js';

/** Of this version of Node; what it does not know yet is in no name that it can compare. */
const assigned = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point)).filter(
  (letter) => /^\P{Cn}$/u.test(letter),
);
const isCased = (letter: string) =>
  /[\p{Changes_When_Casefolded}\p{Changes_When_Casemapped}\p{Cased}]/u.test(letter);

describe('AMB-15 OPEN-11 VLT-02: nameKey', () => {
  it.each([
    ['Ops', 'oPS'],
    ['É', 'é'],
    ['É', 'e\u0301'],
    ['\u1e96', 'H\u0331'],
    ['ΑΣΟΣ', 'ασος'],
    ['ΑΣΟΣ', 'ασοσ'],
    ['\u212a', 'k'],
    ['STRAẞE', 'straße'],
    ['ＡＢＣ', 'ａｂｃ'],
  ])('is one of %s and %s', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
    expect(isSameName(one, other)).toBe(true);
  });

  it.each([
    ['x2.txt', 'x².txt'],
    ['™', 'TM'],
    ['ß', 'ss'],
    ['ﬁle', 'file'],
    ['Ａ１', 'A1'],
    ['½', '1⁄2'],
    ['a\u00a0b', 'a b'],
    ['İ', 'i'],
    ['İ', 'i\u0307'],
    ['ı', 'i'],
    ['é', 'e'],
  ])('is two of %s and %s', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other));
    expect(isSameName(one, other)).toBe(false);
  });

  it('joins the letters that the iu rules of regular expressions join (ECMA-262, Canonicalize), and no others', () => {
    const letters = assigned.filter((letter) => isCased(letter) && letter.normalize('NFC') === letter);
    const text = letters.join('');
    const joined = new Map<string, string[]>();
    for (const letter of letters)
      joined.set(nameKey(letter), [...(joined.get(nameKey(letter)) ?? []), letter]);
    for (const letter of letters) {
      const point = (letter.codePointAt(0) as number).toString(16);
      const expected = text.match(new RegExp(`\\u{${point}}`, 'giu'));
      expect([point, joined.get(nameKey(letter))]).toEqual([point, expected]);
    }
    expect(letters.length).toBeGreaterThan(4_000);
  });

  it('leaves all other letters as NFC has them', () => {
    const changed = assigned.filter(
      (letter) => !isCased(letter) && nameKey(letter) !== letter.normalize('NFC'),
    );
    expect(changed).toEqual([]);
    const known = [...simpleCaseFolding().keys()].filter((letter) => /\P{Cn}/u.test(letter));
    expect(known.filter((letter) => !isCased(letter))).toEqual([]);
  });

  it('is idempotent, and the same for composed and decomposed names', () => {
    for (const letter of assigned) {
      const key = nameKey(letter);
      if (nameKey(key) !== key || nameKey(letter.normalize('NFD')) !== key)
        throw new Error((letter.codePointAt(0) as number).toString(16));
    }
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const key = nameKey(name);
        return nameKey(key) === key && nameKey(name.normalize('NFD')) === key;
      }),
      { numRuns: 2_000 },
    );
  });
});
