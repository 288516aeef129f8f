import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig, Setting, withSettings } from './load-config.js';
import { eachShardOnce, servedShard, ShardConfig, shardNumbers } from './shard-config.js';

class AllShards {
  @Setting(shardNumbers, 'All shards.', eachShardOnce)
  SHARDS: readonly number[] = [0];
}
class InstanceConfig extends withSettings(AllShards, ShardConfig) {}

const load = (settings: Record<string, string>) => loadConfig(InstanceConfig, settings);

describe('MISC-01: SHARDS', () => {
  it.each([
    ['', [0]],
    ['0, 2,3843', [0, 2, 3_843]],
  ])('%j are the shards %j', (text, shards) => {
    expect(load({ SHARDS: text, ...(text && { SHARD: '0' }) }).SHARDS).toEqual(shards);
  });

  it.each(['-1', '3844', '1,1', 'one', ',', '1;2'])('refuses %j', (text) => {
    expect(() => load({ SHARDS: text, SHARD: '1' })).toThrow(ConfigError);
  });
});

describe('MISC-01: SHARD', () => {
  it('may be left out where there is one shard alone', () => {
    expect(servedShard(load({}))).toBe(0);
    expect(servedShard(load({ SHARDS: '4' }))).toBe(4);
    expect(servedShard({})).toBe(0);
  });

  it('is the number of one of SHARDS', () => {
    expect(servedShard(load({ SHARDS: '0,7', SHARD: '7' }))).toBe(7);
    expect(() => load({ SHARDS: '0,7', SHARD: '1' })).toThrow(/SHARD must be one of SHARDS/);
  });

  it('cannot be forgotten where there are several: the instance would serve the database of another one', () => {
    expect(() => load({ SHARDS: '0,7' })).toThrow(/SHARD must be one of SHARDS, which are several/);
  });
});
