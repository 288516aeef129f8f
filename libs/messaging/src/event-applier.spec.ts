import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { event, Text, type Delivery } from '@vaultsvc/contracts';
import { statement, type Database } from '@vaultsvc/database';
import { startSpecDatabase } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { EventApplier } from './event-applier.js';

class Fact {
  @Text({ max: 100 }) item: string;
}
const happened = event({ name: 'source.happened', payload: Fact, consumers: ['sink'] });

let database: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  const tables = [
    'CREATE TABLE processed (event_id uuid PRIMARY KEY, processed_at timestamptz NOT NULL DEFAULT now())',
    'CREATE TABLE dead_letters (consumer text, event_id text)',
    'CREATE TABLE seen (item text)',
  ];
  ({ database, close } = await startSpecDatabase('applier', tables, { DATABASE_POOL_MAX: '3' }));
});
afterAll(() => close());

const lockWaiters = () =>
  database.query(
    statement(
      'test.waiters',
      `SELECT 1 FROM pg_stat_activity WHERE usename = current_user AND wait_event_type = 'Lock'`,
    ),
  );
const seen = async () =>
  (await database.query<{ item: string }>(statement('test.seen', 'SELECT item FROM seen ORDER BY item'))).map(
    ({ item }) => item,
  );

describe('OPEN-51: two instances that apply the same events at once', () => {
  it('apply each of them once, also those that only one of the two has', async () => {
    let enter = () => {};
    let open = () => {};
    const entered = new Promise<void>((resolve) => (enter = resolve));
    const opened = new Promise<void>((resolve) => (open = resolve));
    const applierOf = (wait: () => Promise<void>) =>
      new EventApplier(database, 'sink-source', [
        {
          events: [happened],
          consume: async (deliveries, tx) => {
            for (const { payload } of deliveries as Delivery<Fact>[])
              await tx.query(statement('test.see', 'INSERT INTO seen (item) VALUES ($1)'), [payload.item]);
            await wait();
          },
        },
      ]);
    const delivery = (item: string): Delivery => {
      const common = { name: happened.name, accountId: null, requestId: null, occurredAtMs: 1 };
      return { ...common, id: randomUUID(), payload: { item } };
    };
    const [first, shared, second] = [delivery('first'), delivery('shared'), delivery('second')];
    const slow = applierOf(() => (enter(), opened)).apply([first, shared]);
    await entered;
    const quick = applierOf(() => Promise.resolve()).apply([shared, second]);
    await until(async () => (await lockWaiters()).length > 0);
    open();
    expect(await Promise.all([slow, quick])).toEqual([{ result: 'applied' }, { result: 'applied' }]);
    expect(await seen()).toEqual(['first', 'second', 'shared']);
  });
});

describe('OPEN-51: deliveries of an event that is not applied', () => {
  const delivery = (id: string, item: string): Delivery => {
    const common = { name: happened.name, accountId: null, requestId: null, occurredAtMs: 1 };
    return { ...common, id, payload: { item } };
  };
  const itemsOf = (deliveries: readonly Delivery[]) =>
    (deliveries as Delivery<Fact>[]).map(({ payload }) => payload.item);

  it('go to the method for repeats after the others were applied: of a batch before, and within a batch', async () => {
    const calls: [string, string[]][] = [];
    const recorder = (name: string) => async (deliveries: readonly Delivery[]) =>
      void calls.push([name, itemsOf(deliveries)]);
    const applier = new EventApplier(database, 'sink-source', [
      { events: [happened], repeats: true, consume: recorder('repeated') },
      { events: [happened], consume: recorder('applied') },
    ]);
    const [one, two] = [randomUUID(), randomUUID()];
    await applier.apply([delivery(one, 'one')]);
    await applier.apply([delivery(two, 'two'), delivery(one, 'one again'), delivery(two, 'two again')]);
    await applier.apply([delivery(two, 'two later')]);
    expect(calls).toEqual([
      ['applied', ['one']],
      ['applied', ['two']],
      ['repeated', ['one again', 'two again']],
      ['repeated', ['two later']],
    ]);
  });
});
