import { describe, expect, it } from '@jest/globals';
import { escapeMarkdown } from './guarantees.mjs';

describe('The page of guarantees', () => {
  it.each([
    ['a lone surrogate, which a file in UTF-8 cannot contain', 'refuses \ud800', 'refuses U+d800'],
    ['a control character', 'refuses \u0000', 'refuses U+0000'],
    ['a link', 'a [b](c)', 'a [b]\\(c)'],
  ])('escapes %s', (_, title, escaped) => {
    expect(escapeMarkdown(title)).toBe(escaped);
  });
});
