import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { event, Text } from '@vaultsvc/contracts';
import { statement, type Database } from '@vaultsvc/database';
import { startSpecDatabase } from '@vaultsvc/testing/harness';
import { Outbox } from './outbox.js';

class Fact {
  @Text({ max: 100 }) item: string;
}
const happened = event({ name: 'source.happened', payload: Fact, consumers: [] });
const outbox = new Outbox('source');

/** As a hot path does: the event is inserted by the statement of the change. */
const insertInCte = statement(
  'test.insert-in-cte',
  `WITH event AS (
     INSERT INTO outbox (name, payload) SELECT '${happened.name}', '{}' WHERE $1 RETURNING name)
   SELECT name FROM event`,
  (rows) => rows.length > 0,
);

const LONG_MS = 60_000;
const SHORT_MS = 50;

let database: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  const table = `CREATE TABLE outbox (name text, account_id text, request_id text, payload jsonb)`;
  ({ database, close } = await startSpecDatabase('outbox', [table]));
});
afterAll(() => close());
/** No wake is left of an earlier test. */
beforeEach(() => isWoken(0));

const isWoken = (withinMs: number) => database.nextPublication(withinMs, new AbortController().signal);
const publish = (tx: Parameters<Outbox['publish']>[0]) => outbox.publish(tx, happened, { item: 'x' }, null);

describe('The relay is woken', () => {
  it('by the commit of a transaction that published, and not before', async () => {
    const woken = isWoken(LONG_MS);
    await database.transaction(async (tx) => {
      await publish(tx);
      await expect(Promise.race([woken, delay(SHORT_MS, 'asleep')])).resolves.toBe('asleep');
    });
    expect(await woken).toBe(true);
  });

  it('before the effects of the commit, which may take long', async () => {
    await database.transaction(async (tx) => {
      tx.afterCommit(async () => expect(await isWoken(LONG_MS)).toBe(true));
      await publish(tx);
    });
    expect(await isWoken(0)).toBe(false);
  });

  it('by a statement of its own that inserts an event, and only if it did', async () => {
    await database.query(insertInCte, [true]);
    expect(await isWoken(0)).toBe(true);
    await database.query(insertInCte, [false]);
    expect(await isWoken(SHORT_MS)).toBe(false);
  });

  it('by the commit of a unit of work in which nested transactions published', async () => {
    await database.unitOfWork(async () => {
      await database.transaction(publish);
      await database.query(insertInCte, [true]);
      expect(await isWoken(SHORT_MS)).toBe(false);
    });
    expect(await isWoken(0)).toBe(true);
  });

  it('not by a transaction that is rolled back, and not by one that published nothing', async () => {
    const work = database.transaction(async (tx) => {
      await publish(tx);
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    await database.transaction((tx) => tx.query(insertInCte, [false]));
    expect(await isWoken(SHORT_MS)).toBe(false);
  });
});
