import { Setting } from './load-config.js';
import { integer, list } from './parsers.js';

/** The highest number of a shard: two base62 characters of an id hold no more (ADR 61). */
const SHARD_MAX = 3_843;

/** The number of a shard of accounts. */
const shardNumber = integer({ max: SHARD_MAX });

/** Several of them, each once. */
export const shardNumbers = list(shardNumber);

/** A rule of settings that name shards. */
export function eachShardOnce(shards: readonly number[]): string | undefined {
  const isValid = shards.length > 0 && new Set(shards).size === shards.length;
  return isValid ? undefined : 'must name each shard once';
}

/** The setting of an instance of a service that may have several shards. */
export class ShardConfig {
  @Setting(
    shardNumber,
    'The shard of accounts in the database of DATABASE_URL, one of SHARDS. Equal in all instances on this database, and in no other. -1: the only one of SHARDS.',
    (shard, { SHARDS: all }) => {
      const shards = all as readonly number[];
      if (shard === -1) return shards.length === 1 ? undefined : 'must be one of SHARDS, which are several';
      return shards.includes(shard) ? undefined : 'must be one of SHARDS';
    },
  )
  SHARD = -1;
}

/** The shard that an instance serves; 0 for a service without shards. */
export function servedShard(config: object): number {
  if (!('SHARD' in config)) return 0;
  const { SHARD, SHARDS } = config as { SHARD: number; SHARDS: readonly number[] };
  return SHARD === -1 ? (SHARDS[0] ?? 0) : SHARD;
}
