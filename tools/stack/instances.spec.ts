import { describe, expect, it } from '@jest/globals';
import { instancesOf, isInstance } from './instances.ts';
import { readSettings, services } from './settings.ts';

const namesWith = (...args: string[]) => instancesOf(readSettings({}, args)).map(({ name }) => name);

describe('The instances of a stack', () => {
  it('are one of each service, or one of all', () => {
    expect(namesWith()).toEqual(services);
    expect(namesWith('--one')).toEqual(['all']);
  });

  it('have the number of their shard in their names with --clusters', () => {
    expect(namesWith('--clusters')).toEqual([...services, 'sparks-1', 'reporting-1']);
  });

  it('have the settings of their shard', () => {
    const shards = instancesOf(readSettings({}, ['--clusters'])).map(({ name, service, settings }) => [
      name,
      service,
      settings.shard,
    ]);
    expect(shards).toContainEqual(['sparks', 'sparks', 0]);
    expect(shards).toContainEqual(['sparks-1', 'sparks', 1]);
    expect(shards).toContainEqual(['reporting-1', 'reporting', 1]);
  });

  it('are distinguished from servers by their names', () => {
    expect([...services, 'all', 'sparks-1'].filter((name) => !isInstance(name))).toEqual([]);
    expect(['postgres', 'postgres-standby', 'redis-2', 'nats-3', 'kms'].filter(isInstance)).toEqual([]);
  });
});
