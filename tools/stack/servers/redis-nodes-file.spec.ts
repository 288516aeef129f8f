import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { updateAddresses, writeNodesFile } from './redis-nodes-file.ts';

const [master, replica, stranger] = ['a', 'b', 'c'].map((letter) => letter.repeat(40));

let folder: string;
const dirOf = (name: string) => join(folder, name);
const textOf = (name: string) => readFileSync(join(dirOf(name), 'nodes.conf'), 'utf8');
/** The replica has replaced its master, as both files know. */
const nodes = (own: string, port: number) =>
  [
    `${master} 127.0.0.1:${port}@${port + 10},,shard-id=9 ${own === master ? 'myself,' : ''}slave ${replica} 17 0 7 connected`,
    `${replica} 127.0.0.1:${port + 1}@${port + 11} ${own === replica ? 'myself,' : ''}master - 0 18 7 connected 0-16383`,
    `${stranger} 10.0.0.1:5@6 master,fail - 0 18 3 disconnected`,
    'vars currentEpoch 7 lastVoteEpoch 7',
    '',
  ].join('\n');
const places = (port: number) => [
  { dataDir: dirOf('redis'), port, busPort: port + 10 },
  { dataDir: dirOf('redis-2'), port: port + 1, busPort: port + 11 },
];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaultsvc-nodes-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('The nodes of a Redis Cluster that starts on other ports', () => {
  it('know each other by their ids at the new addresses, and all else as before', () => {
    writeNodesFile(dirOf('redis'), nodes(master ?? '', 9321));
    writeNodesFile(dirOf('redis-2'), nodes(replica ?? '', 9321));
    expect(updateAddresses(places(9521))).toBe(true);
    expect(textOf('redis')).toBe(nodes(master ?? '', 9521));
    expect(textOf('redis-2')).toBe(nodes(replica ?? '', 9521));
    expect(statSync(join(dirOf('redis'), 'nodes.conf')).mode & 0o777).toBe(0o600);
  });

  it('have to be introduced where one of them does not know itself', () => {
    expect(updateAddresses(places(9321))).toBe(false);
    writeNodesFile(dirOf('redis'), nodes(master ?? '', 9321));
    expect(updateAddresses(places(9521))).toBe(false);
    expect(textOf('redis')).toBe(nodes(master ?? '', 9321));
  });
});
