import { describe, expect, it } from '@jest/globals';
import { newCode, newId, SHARD_MAX, shardOf } from './index.js';

describe('ENV-18 OPEN-51: a new id', () => {
  it.each(['key_', 'spk_', 'ntsnd_'])('with %s has 22 base62 characters and is never repeated', (prefix) => {
    const ids = new Set(Array.from({ length: 200 }, () => newId(prefix as 'key_')));
    expect(ids.size).toBe(200);
    for (const id of ids) expect(id).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{22}$`));
  });

  it.each([
    [1, '01'],
    [61, '0z'],
    [62, '10'],
    [3_843, 'zz'],
  ])('of shard %d ends in %s after the 22 characters', (shard, ending) => {
    expect(newId('spk_', shard)).toMatch(new RegExp(`^spk_[0-9A-Za-z]{22}${ending}$`));
    expect(newCode(shard)).toMatch(new RegExp(`^[0-9A-Za-z]{22}${ending}$`));
  });

  it.each([-1, 1.5, 3_844, NaN])('refuses the shard %d', (shard) => {
    expect(() => newId('spk_', shard)).toThrow(RangeError);
  });
});

describe('OPEN-51: the shard of an id', () => {
  it.each([0, 1, 62, 1_000, SHARD_MAX])('of %d is read from ids and from codes of links', (shard) => {
    expect(shardOf(newId('acc_', shard))).toBe(shard);
    expect(shardOf(newCode(shard))).toBe(shard);
  });

  it.each(['', 'spk_', 'spk_short', `spk_${'a'.repeat(23)}`, `spk_${'a'.repeat(22)}-1`, 'x'.repeat(300)])(
    'of %j, which is no id of a shard, is the first one',
    (text) => expect(shardOf(text)).toBe(0),
  );
});
