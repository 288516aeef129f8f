import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from './load-config.js';
import { RedisSettings } from './redis-settings.js';

const REDIS_URL = 'rediss://gateway:hunter2@redis-0.example.com:6379';

/** The nodes of the cluster, or the problems. */
function nodesOf(settings: Record<string, string>): readonly string[] {
  try {
    return loadConfig(RedisSettings, { REDIS_URL, ...settings }).REDIS_CLUSTER;
  } catch (error) {
    return (error as ConfigError).problems.map((problem) => problem.split('. ')[0] ?? '');
  }
}

describe('ENV-36: REDIS_CLUSTER', () => {
  it('is empty by default, and otherwise a list of hosts with ports', () => {
    expect(nodesOf({})).toEqual([]);
    expect(nodesOf({ REDIS_CLUSTER: 'redis-0.example.com:6379, 10.0.0.2:7000,[2001:db8::1]:6379' })).toEqual([
      'redis-0.example.com:6379',
      '10.0.0.2:7000',
      '[2001:db8::1]:6379',
    ]);
  });

  it.each(['true', 'redis-0', 'rediss://redis-0:6379', 'gateway:hunter2@redis-0:6379', 'redis-0:99999'])(
    'refuses %s: protocol, user and password are those of REDIS_URL',
    (REDIS_CLUSTER) => {
      expect(nodesOf({ REDIS_CLUSTER })).toEqual([
        'REDIS_CLUSTER must be a list of host:port, without protocol, user and password',
      ]);
    },
  );

  it('excludes Sentinels', () => {
    const REDIS_SENTINELS = 'rediss://vaultsvc:hunter2@sentinel-0.example.com:26379';
    expect(nodesOf({ REDIS_CLUSTER: 'redis-0.example.com:6379', REDIS_SENTINELS })).toEqual([
      'REDIS_CLUSTER is not set together with REDIS_SENTINELS',
    ]);
  });
});
