import { decodeBase62, encodeBase62, randomBase62 } from './base62.js';

// 22 x log2(62) = 131 bits: the id of a Spark in a kindling is a capability.
const RANDOM_CHARACTERS = 22;
const SHARD_CHARACTERS = 2;
const SHARD_BYTES = 2;

/** The highest number of a shard: two base62 characters hold no more (ADR 61). */
export const SHARD_MAX = 62 ** SHARD_CHARACTERS - 1;

/**
 * A new random id: the prefix, including its underscore, and what `newCode` makes, as in `newId('spk_')`.
 * @throws RangeError as `newCode`
 */
export function newId<Prefix extends `${string}_`>(prefix: Prefix, shard = 0): `${Prefix}${string}` {
  return `${prefix}${newCode(shard)}`;
}

/**
 * 22 random base62 characters (131 bits), and after them, unless it is the first, two of the shard.
 * @throws RangeError for a shard that is no integer from 0 to `SHARD_MAX`
 */
export function newCode(shard: number): string {
  const random = randomBase62(RANDOM_CHARACTERS);
  if (shard === 0) return random;
  if (!Number.isInteger(shard) || shard < 0 || shard > SHARD_MAX)
    throw new RangeError(`A shard is an integer from 0 to ${SHARD_MAX}`);
  const bytes = Buffer.alloc(SHARD_BYTES);
  bytes.writeUInt16BE(shard);
  return random + encodeBase62(bytes, SHARD_CHARACTERS);
}

/**
 * The shard that an id or the code of a link carries. 0 for those that carry none, and for any other text: what it names is as unknown
 * there as anywhere.
 */
export function shardOf(idOrCode: string): number {
  const code = idOrCode.slice(idOrCode.lastIndexOf('_') + 1);
  if (code.length !== RANDOM_CHARACTERS + SHARD_CHARACTERS) return 0;
  return decodeBase62(code.slice(RANDOM_CHARACTERS), SHARD_BYTES)?.readUInt16BE() ?? 0;
}
