import { describe, expect, it } from '@jest/globals';
import {
  EVERY_SHARD,
  event,
  operation,
  serviceContext,
  Text,
  type CallContext,
  type Operation,
} from '@vaultsvc/contracts';
import { newId } from '@vaultsvc/crypto/encoding';
import { accountContext } from '@vaultsvc/testing/harness';
import { eventSubject } from './event-batch.js';
import { eventsByConsumer } from './outbox-relay.js';
import { instanceSubject, presenceSubject, runningSubject } from './service-instances.js';
import { callTarget, durableName, shardSubject } from './shard-names.js';
import { ShardRouter } from './shard-routing.js';

class Body {
  @Text({ max: 100 }) account_id: string;
}
const spec = { summary: 'Does.', access: 'internal', callers: ['gateway'], body: Body } as const;
const ofAccount = operation({ ...spec, name: 'sparks.do' });
const ofCode = operation({ ...spec, name: 'sparks.open', shardBy: 'link_code' });
const unsharded = operation({ ...spec, name: 'vaults.do' });
const key = accountContext({ accountId: newId('acc_', 3) });
const service = serviceContext({ requestId: 'req_x' });
const router = new ShardRouter([0, 2, 3, 5, 7]);

describe('MISC-01: a call goes to the shard', () => {
  it.each<[string, Operation, object, CallContext, number]>([
    ['of the credential', ofAccount, {}, key, 3],
    [
      'of the account in the body, before that of the credential',
      ofAccount,
      { body: { account_id: newId('acc_', 7) } },
      key,
      7,
    ],
    [
      'of the account in the body of a service',
      ofAccount,
      { body: { account_id: newId('acc_', 7) } },
      service,
      7,
    ],
    ['of the code in the path', ofCode, { params: { link_code: newId('x_', 5).slice(2) } }, key, 5],
    ['of the code in the query', ofCode, { query: { link_code: newId('x_', 5) } }, key, 5],
    ['of the code in the body', ofCode, { body: { link_code: newId('x_', 5) } }, service, 5],
    ['of the account, without the member that is named', ofCode, { query: {} }, key, 3],
    [
      'that is the first one, for a code without shard',
      ofCode,
      { params: { link_code: newId('x_') } },
      key,
      0,
    ],
    [
      'that is the only one, in a service without shards',
      unsharded,
      { body: { account_id: newId('acc_', 7) } },
      key,
      0,
    ],
  ])('%s', (_, op, input, context, shard) => {
    expect(router.shardOf(op, input, context)).toBe(shard);
  });
});

describe('MISC-01: a call of an id that a caller made up', () => {
  it.each([9, 3_843])(
    'with the shard %d, which does not exist, goes to the first one, where it is unknown',
    (shard) => {
      const code = newId('x_', shard);
      expect(router.shardOf(ofCode, { params: { link_code: code } }, service)).toBe(0);
      expect(new ShardRouter([4]).shardOf(ofCode, { params: { link_code: code } }, service)).toBe(4);
    },
  );
});

describe('MISC-01: a shard answers', () => {
  const every = operation({ ...spec, name: 'sparks.each', shardBy: EVERY_SHARD });

  it('the calls for itself alone, but for those that each shard answers', () => {
    expect(router.isAnsweredBy(3, ofAccount, {}, key)).toBe(true);
    expect(router.isAnsweredBy(0, ofAccount, {}, key)).toBe(false);
    expect(router.isAnsweredBy(0, every, {}, key)).toBe(true);
    expect(router.isAnsweredBy(0, unsharded, {}, key)).toBe(true);
  });
});

describe('MISC-01: the names of a shard', () => {
  it('are those of a service without shards for the first one, so that earlier releases understand them', () => {
    expect(shardSubject('rpc.sparks.read', 0)).toBe('rpc.sparks.read');
    expect(eventSubject('vaults', 'sparks', 0)).toBe('evt.vaults.sparks');
    expect(durableName('sparks', 'vaults', 0)).toBe('sparks-vaults');
    expect(runningSubject(callTarget('sparks', 0))).toBe('rpc.sparks.running');
  });

  it('fit into what NATS lets a service subscribe to: rpc.sparks.* and rpc.sparks.*.*', () => {
    expect(shardSubject('rpc.sparks.read', 12)).toBe('rpc.sparks.read.s12');
    expect(eventSubject('vaults', 'sparks', 12)).toBe('evt.vaults.sparks.s12');
    expect(durableName('sparks', 'vaults', 12)).toBe('sparks-vaults-s12');
    expect(runningSubject(callTarget('sparks', 12))).toBe('rpc.sparks.running.s12');
    expect(presenceSubject(callTarget('sparks', 12), 'i')).toBe('rpc.sparks.running.i');
    expect(instanceSubject('rpc.sparks.read', 'i')).toBe('rpc.sparks.read.i');
  });
});

describe('MISC-01: an event goes', () => {
  const happened = event({ name: 'source.sharded', payload: Body, consumers: ['sparks', 'sink'] });
  const row = (id: string, account_id: string | null, payload = {}) => ({
    id,
    name: happened.name,
    account_id,
    request_id: null,
    occurred_at_ms: 0,
    payload,
  });

  const groupsOf = (rows: Parameters<typeof eventsByConsumer>[0]) =>
    eventsByConsumer(rows)
      .map(({ consumer, shard, events }) => [consumer, shard, events.map(({ id }) => id)])
      .toSorted();

  it('to the shard of its account, and to a consumer without shards with all others', () => {
    const rows = [
      row('a', newId('acc_')),
      row('b', newId('acc_', 2)),
      row('c', null),
      row('d', newId('acc_', 2)),
    ];
    expect(groupsOf(rows)).toEqual([
      ['sink', 0, ['a', 'b', 'c', 'd']],
      ['sparks', 0, ['a', 'c']],
      ['sparks', 2, ['b', 'd']],
    ]);
  });

  it('AUD-01 BIL-03: to the shards of both accounts that it concerns, once to each', () => {
    const [second, third] = [newId('acc_', 2), newId('acc_', 3)];
    const rows = [
      row('a', second, { account_id: third }),
      row('b', second, { account_id: second }),
      row('c', null, { account_id: third }),
      row('d', newId('acc_'), { account_id: null }),
    ];
    expect(groupsOf(rows)).toEqual([
      ['sink', 0, ['a', 'b', 'c', 'd']],
      ['sparks', 0, ['d']],
      ['sparks', 2, ['a', 'b']],
      ['sparks', 3, ['a', 'c']],
    ]);
  });
});
