import { describe, expect, it } from '@jest/globals';
import { escaped, escapedParts } from './shown-text.js';

describe('AMB-28 CHT-22: a text that the chat shows', () => {
  it.each([
    ['a&amp;b', 'a&amp;amp;b'],
    ['<b>', '&lt;b&gt;'],
    ['&', '&amp;'],
    ['"quoted" and \'so\'', '"quoted" and \'so\''],
  ])('%j is escaped as %j', (text, expected) => {
    expect(escaped(text)).toBe(expected);
  });

  it.each([
    ['x'.repeat(3_000), [3_000]],
    ['&'.repeat(3_000), [3_000, 3_000, 3_000, 3_000, 3_000]],
    [`x${'&'.repeat(600)}`, [2_996, 5]],
    [`x${'😀'.repeat(1_500)}`, [2_999, 2]],
    ['<'.repeat(3_000), [3_000, 3_000, 3_000, 3_000]],
  ])(
    'is split into blocks of 3,000 characters at most, never within an entity or a character',
    (text, lengths) => {
      const parts = escapedParts(text);
      expect(parts.map(({ length }) => length)).toEqual(lengths);
      expect(parts.join('')).toBe(escaped(text));
      for (const part of parts) expect(part.isWellFormed()).toBe(true);
      for (const part of parts) expect(part.replaceAll(/&(amp|lt|gt);/g, '')).not.toContain('&');
    },
  );
});
