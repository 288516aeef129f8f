import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from './load-config.js';
import { ShardedConfig, shardsOf } from './sharded-config.js';

const shardsIn = (SHARDS: string) => loadConfig(ShardedConfig, { SHARDS }).SHARDS;

describe('MISC-01: SHARDS', () => {
  it.each([
    ['', [0]],
    ['0', [0]],
    ['1', [1]],
    ['0, 2,3843', [0, 2, 3_843]],
  ])('%j are the shards %j', (text, shards) => {
    expect(shardsIn(text)).toEqual(shards);
  });

  it.each(['-1', '3844', '1,1', 'one', ',', '1;2'])('refuses %j', (text) => {
    expect(() => shardsIn(text)).toThrow(ConfigError);
  });

  it('of a service without the setting is the first one', () => {
    expect(shardsOf({})).toEqual([0]);
    expect(shardsOf({ SHARDS: [4] })).toEqual([4]);
  });
});
