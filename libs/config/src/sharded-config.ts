import { Setting } from './load-config.js';
import { integer, list } from './parsers.js';

/** Two characters of an id hold no higher number. */
const SHARD_MAX = 3_843;

/** A shard of accounts, see `ACCOUNT_SHARDS` of auth. */
export const shard = integer({ max: SHARD_MAX });

/** The setting of a service whose accounts may be spread over several databases. */
export class ShardedConfig {
  @Setting(
    list(shard),
    'The shards of accounts, separated by commas, that the database of DATABASE_URL holds and this instance serves. Every instance on this database has the same ones, and no other database has any of them.',
    (shards) =>
      new Set(shards).size === shards.length && shards.length > 0 ? undefined : 'must name each shard once',
  )
  SHARDS: readonly number[] = [0];
}

/** The shards that a service serves; one without this setting serves all accounts under the number 0. */
export function shardsOf(config: object): readonly number[] {
  return 'SHARDS' in config ? (config as ShardedConfig).SHARDS : [0];
}
