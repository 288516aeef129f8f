import { describe, expect, it } from '@jest/globals';
import { ID_CHARACTERS, idPattern, idPrefixes, LINK_CODE_PATTERN } from './ids.js';

describe('ENV-18 ENV-19: The pattern of ids', () => {
  it('has the required prefixes', () => {
    expect(idPrefixes).toEqual({
      apiKey: 'key',
      spark: 'spk',
      kindling: 'kdl',
      vault: 'vlt',
      ingot: 'ing',
      folder: 'fld',
      user: 'usr',
      identity: 'idn',
      account: 'acc',
      transaction: 'txn',
      entropy: 'ent',
      send: 'ntsnd',
      invite: 'inv',
      invoice: 'in',
      paymentMethod: 'pm',
      checkout: 'cs',
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

  it.each(['acc', 'spk', 'kdl'] as const)(
    'MISC-01: of %s_ accepts two further characters, of a shard',
    (prefix) => {
      expect(`${prefix}_${'a'.repeat(24)}`).toMatch(idPattern(prefix));
      for (const length of [21, 23, 25])
        expect(`${prefix}_${'a'.repeat(length)}`).not.toMatch(idPattern(prefix));
    },
  );

  it.each(['vlt', 'ing', 'usr', 'key'] as const)('of %s_ accepts none', (prefix) => {
    expect(`${prefix}_${'a'.repeat(24)}`).not.toMatch(idPattern(prefix));
  });

  it.each(['abcDEF_12-x', 'a'.repeat(8), 'Z9_-'.repeat(16)])('of link codes accepts %s', (code) => {
    expect(code).toMatch(LINK_CODE_PATTERN);
  });

  it.each(['abc/defgh', 'a'.repeat(7), 'a'.repeat(65), '/abcdefgh', 'abcdefgh/', 'abcdefgh\n'])(
    'of link codes refuses %j',
    (code) => expect(code).not.toMatch(LINK_CODE_PATTERN),
  );
});
