import { describe, expect, it } from '@jest/globals';
import { portsInUse } from './port-labels.ts';
import { readSettings, services } from './settings.ts';
import { ofSecondShard } from './stack-ports.ts';

const single = readSettings({ VAULTSVC_PORT: '9000' }, []);
const clustered = readSettings({ VAULTSVC_PORT: '9000' }, ['--clusters']);

describe('The ports of a stack', () => {
  it.each([
    ['one server of each kind', single, 15 + services.length, 9047],
    ['--clusters', clustered, 15 + services.length + 5 + 2 + 3 + 5 + 6, 9068],
  ])('are in use only once and up to the last offset, with %s', (_, settings, count, last) => {
    const ports = Object.values(portsInUse(settings));
    expect(new Set(ports).size).toBe(ports.length);
    expect(ports).toHaveLength(count);
    expect(Math.max(...ports)).toBe(last);
  });

  it('are named by their use, each server by its number', () => {
    const uses = new Map(Object.entries(portsInUse(clustered)).map(([use, port]) => [port, use]));
    expect([9020, 9050, 9051, 9052].map((port) => uses.get(port))).toEqual([
      'PostgreSQL',
      'standby of PostgreSQL',
      'PostgreSQL of shard 1',
      'standby of PostgreSQL of shard 1',
    ]);
    expect([9022, 9053, 9054, 9055].map((port) => uses.get(port))).toEqual([
      'NATS',
      'NATS, server 2',
      'NATS, server 3',
      'routes of NATS, server 1',
    ]);
    expect([9058, 9062, 9063, 9068].map((port) => uses.get(port))).toEqual([
      'Redis, server 2',
      'Redis, server 6',
      'cluster bus of Redis, server 1',
      'cluster bus of Redis, server 6',
    ]);
  });

  it('may begin higher without --clusters', () => {
    const read = (port: number, ...args: string[]) => readSettings({ VAULTSVC_PORT: String(port) }, args);
    expect(read(65_488).ports.gateway).toBe(65_488);
    expect(() => read(65_489)).toThrow(/from 1 to 65488,/);
    expect(read(65_467, '--clusters').ports.gateway).toBe(65_467);
    expect(() => read(65_468, '--clusters')).toThrow(/from 1 to 65467,/);
  });

  it('belong to one shard without --clusters', () => {
    expect(() => ofSecondShard(single)).toThrow('A stack without --clusters has only one shard.');
  });
});
