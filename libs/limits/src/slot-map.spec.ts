import { describe, expect, it } from '@jest/globals';
import { KeyNames } from './key-names.js';
import { urlAt } from './server-address.js';
import { redirectionIn, slotMapIn, slotOf } from './slot-map.js';

describe('ENV-36: the slot map of a Redis Cluster', () => {
  // By CLUSTER KEYSLOT.
  it.each([
    ['cred:k:1', 3_704],
    ['123456789', 12_739],
    ['rl:{acc_1}', 2_891],
    ['{}{a}', 13_650],
  ])('finds the slot of %s as Redis does', (key, slot) => {
    expect(slotOf(key)).toBe(slot);
  });

  it('has the master of each slot, and none where the cluster has none', () => {
    const slots = slotMapIn(
      [
        [0, 8_000, ['10.0.0.1', 6_379, 'a', []], ['10.0.0.2', 6_379, 'b', []]],
        [8_002, 16_383, ['2001:db8::1', 6_380, 'c', []]],
      ],
      '10.0.0.9',
    );
    expect(slots).toHaveLength(16_384);
    expect([slots[0], slots[8_000], slots[8_001], slots[8_002], slots[16_383]]).toEqual([
      '10.0.0.1:6379',
      '10.0.0.1:6379',
      undefined,
      '[2001:db8::1]:6380',
      '[2001:db8::1]:6380',
    ]);
  });

  it.each([[null], [''], ['?']])('takes a host of %j for that of the node which was asked', (host) => {
    expect(slotMapIn([[0, 16_383, [host, 6_379, 'a']]], '[::1]')[5]).toBe('[::1]:6379');
  });

  it.each([
    ['MOVED 3999 127.0.0.1:6381', { kind: 'MOVED', address: '127.0.0.1:6381' }],
    ['ASK 3999 redis-2.example.com:6381', { kind: 'ASK', address: 'redis-2.example.com:6381' }],
    ['MOVED 3999 ::1:6381', { kind: 'MOVED', address: '[::1]:6381' }],
    ['MOVED 3999 :6381', { kind: 'MOVED', address: '10.0.0.9:6381' }],
    ['ERR no such key', undefined],
    ['CLUSTERDOWN The cluster is down', undefined],
  ])('follows the answer %s', (message, redirection) => {
    expect(redirectionIn(new Error(message), '10.0.0.9')).toEqual(redirection);
  });

  it('leads to other servers with the protocol, user and password of REDIS_URL', () => {
    const url = 'rediss://gateway:p%40ss@redis-0.example.com';
    expect(urlAt(url, '[2001:db8::1]:6380')).toBe('rediss://gateway:p%40ss@[2001:db8::1]:6380');
    expect(urlAt(url, 'redis-1.example.com:7000')).toBe('rediss://gateway:p%40ss@redis-1.example.com:7000');
  });
});

describe('ENV-36: the keys of an account', () => {
  it('are in one slot in a cluster, and have the names of earlier releases without one', () => {
    const [cluster, single] = [new KeyNames(true), new KeyNames(false)];
    const keysOf = (names: KeyNames) => [names.callsOfAccount('acc_1'), names.poolSnapshot('acc_1')];
    expect(keysOf(cluster)).toEqual(['rl:{acc_1}', 'funds:{acc_1}']);
    expect(new Set(keysOf(cluster).map(slotOf)).size).toBe(1);
    expect(keysOf(single)).toEqual(['rl:acc_1:', 'funds:acc_1']);
  });
});
