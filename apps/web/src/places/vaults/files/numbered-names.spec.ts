import { describe, expect, it } from '@jest/globals';
import { numberedName } from './numbered-names.js';

describe('a name beside one that exists', () => {
  it.each([
    ['plan.pdf', 2, 'plan (2).pdf'],
    ['plan (2).pdf', 2, 'plan (2) (2).pdf'],
    ['archive.tar.gz', 3, 'archive.tar (3).gz'],
    ['.env', 2, '.env (2)'],
    ['README', 10, 'README (10)'],
  ])('%s, number %i: %s', (name, number, expected) => {
    expect(numberedName(name, number)).toBe(expected);
  });

  it.each([
    ['long', `${'a'.repeat(251)}.pdf`, `${'a'.repeat(247)} (2).pdf`],
    ['of characters outside the BMP', `${'😀'.repeat(251)}.pdf`, `${'😀'.repeat(247)} (2).pdf`],
    ['with a long end', `a.${'b'.repeat(253)}`, `a.${'b'.repeat(249)} (2)`],
  ])('ING-01: has at most 255 characters: %s', (_, name, expected) => {
    expect(numberedName(name, 2)).toBe(expected);
    expect([...expected].length).toBe(255);
  });
});
