import { randomBase62 } from './base62.js';

// 22 x log2(62) = 131 bits: a Spark's id is a capability (a kindling is readable by whoever knows it).
const LETTERS = 22;

/** A new random id: the prefix, underscore included, and 22 base62 letters (131 bits), as in `newId('spk_')`. */
export function newId<Prefix extends `${string}_`>(prefix: Prefix): `${Prefix}${string}` {
  return `${prefix}${randomBase62(LETTERS)}`;
}
