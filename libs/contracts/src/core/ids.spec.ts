import { describe, expect, it } from '@jest/globals';
import { ID_CHARACTERS, idPattern, idPrefixes, LINK_CODE_PATTERN } from './ids.js';

describe('ENV-18 ENV-19: The pattern of ids', () => {
  it('has the required prefixes', () => {
    expect(idPrefixes).toMatchObject({
      apiKey: 'key',
      spark: 'spk',
      kindling: 'kdl',
      vault: 'vlt',
      ingot: 'ing',
      user: 'usr',
      account: 'acc',
      entropy: 'ent',
      send: 'ntsnd',
    });
  });

  it.each(Object.values(idPrefixes))('accepts %s_ and 22 base62 characters, nothing else', (prefix) => {
    const body = 'Az09'.repeat(6).slice(0, ID_CHARACTERS);
    expect(`${prefix}_${body}`).toMatch(idPattern(prefix));
    for (const wrong of [
      `${prefix}_${body}x`,
      `${prefix}_${body.slice(1)}`,
      `x${prefix}_${body}`,
      `${prefix}_${body.slice(1)}-`,
      `${prefix}-${body}`,
      `${prefix}_${body}\n`,
    ]) {
      expect(wrong).not.toMatch(idPattern(prefix));
    }
  });

  it('of link codes accepts letters, digits, _ and -', () => {
    expect('abcDEF_12-x').toMatch(LINK_CODE_PATTERN);
    expect('abc/defgh').not.toMatch(LINK_CODE_PATTERN);
  });
});
