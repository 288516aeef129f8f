import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startSpecDatabase } from '@vaultsvc/testing/harness';
import fc from 'fast-check';
import type { Database } from '../database.js';
import { statement } from '../statement.js';
import { Batcher, DeadlinePassed, type Batching } from './batcher.js';

const later = () => Date.now() + 60_000;

/** A statement that ends when the spec lets it, and what it was given. */
function heldStatement(more: Partial<Batching<string, string>> = {}) {
  const batches: string[][] = [];
  const ends: ((error?: Error) => void)[] = [];
  const batcher = new Batcher<string, string>({
    name: 'test.held',
    run: (items) => {
      batches.push([...items]);
      return new Promise((resolve, reject) => {
        ends.push((error) => (error ? reject(error) : resolve(items.map((item) => `done ${item}`))));
      });
    },
    ...more,
  });
  const end = async (error?: Error) => {
    ends.shift()?.(error);
    await turn();
    await turn(); // the next statement leaves in a turn of its own
  };
  return { batcher, batches, end };
}

/** An error as pg reports it. */
const pgError = (code: string) => Object.assign(new Error(code), { code });

describe('A batcher', () => {
  it('sends one item at the end of the turn in which it was added', async () => {
    const { batcher, batches, end } = heldStatement();
    const outcome = batcher.add('a', later());
    expect(batches).toEqual([]);
    await turn();
    expect(batches).toEqual([['a']]);
    await end();
    expect(await outcome).toBe('done a');
  });

  it('sends together what arose in one turn, and what arrived while two statements were under way', async () => {
    const { batcher, batches, end } = heldStatement();
    const outcomes = [batcher.add('a', later()), batcher.add('b', later())];
    await turn();
    outcomes.push(batcher.add('c', later()));
    await turn();
    for (const item of ['d', 'e', 'f']) {
      outcomes.push(batcher.add(item, later()));
      await turn();
    }
    expect(batches).toEqual([['a', 'b'], ['c']]);
    await end();
    expect(batches.at(-1)).toEqual(['d', 'e', 'f']);
    await end();
    await end();
    expect(await Promise.all(outcomes)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'].map((item) => `done ${item}`));
  });

  it('sends at most 64 items and 512 KiB in one statement, and an item of any size', async () => {
    const { batcher, batches } = heldStatement({ bytesOf: (item) => Number(item) });
    for (let count = 0; count < 65; count++) void batcher.add('1', later());
    await turn();
    await turn();
    expect(batches.map(({ length }) => length)).toEqual([64, 1]);
    const other = heldStatement({ bytesOf: (item) => Number(item) });
    for (const bytes of ['600000', '500000', '20000', '10000']) void other.batcher.add(bytes, later());
    await turn();
    await turn();
    expect(other.batches).toEqual([['600000'], ['500000', '20000']]);
  });

  it('does not send an item whose deadline has passed while it waited', async () => {
    const { batcher, batches, end } = heldStatement();
    void batcher.add('a', later());
    await turn();
    void batcher.add('b', later());
    await turn();
    const late = batcher.add('late', Date.now() - 1);
    const inTime = batcher.add('in time', later());
    const refused = expect(late).rejects.toThrow(DeadlinePassed);
    await end();
    await refused;
    expect(batches.at(-1)).toEqual(['in time']);
    await end();
    await end();
    expect(await inTime).toBe('done in time');
  });

  it('sends nothing a second time after an error that leaves the outcome unknown', async () => {
    for (const error of [new Error('Query read timeout'), pgError('57P01'), pgError('ECONNRESET')]) {
      const { batcher, batches, end } = heldStatement();
      const outcomes = Promise.allSettled([batcher.add('a', later()), batcher.add('b', later())]);
      await turn();
      await end(error);
      expect(await outcomes).toEqual([
        { status: 'rejected', reason: error },
        { status: 'rejected', reason: error },
      ]);
      expect(batches).toHaveLength(1);
    }
  });
});

describe('A batcher in front of PostgreSQL', () => {
  let database: Database;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const tables = ['CREATE TABLE stock (id text PRIMARY KEY, amount int NOT NULL CHECK (amount >= 0))'];
    ({ database, close } = await startSpecDatabase('batches', tables));
  });
  afterAll(() => close());
  beforeEach(() => database.query(statement('test.delete-all', 'DELETE FROM stock')));

  interface Entry {
    readonly id: string;
    readonly amount: number;
  }
  const insertAll = statement(
    'test.insert-all',
    `INSERT INTO stock (id, amount) SELECT * FROM unnest($1::text[], $2::int[]) RETURNING id, amount`,
  );
  const inserts = () =>
    new Batcher<Entry, number>({
      name: 'test.insert-all',
      run: async (entries) => {
        const values = [entries.map(({ id }) => id), entries.map(({ amount }) => amount)];
        const rows = await database.query<Entry>(insertAll, values);
        const amounts = new Map(rows.map(({ id, amount }) => [id, amount]));
        return entries.map(({ id }) => amounts.get(id) as number);
      },
    });
  const stored = async () =>
    new Set((await database.query<Entry>(statement('test.all', 'SELECT id FROM stock'))).map(({ id }) => id));

  it('refuses bad items alone, and all others get what they would have got alone', async () => {
    const entry = fc.record({ id: fc.uuid(), amount: fc.integer({ min: -2, max: 9 }) });
    const entries = fc.uniqueArray(entry, { maxLength: 90, selector: ({ id }) => id });
    const pauses = fc.array(fc.nat(3), { minLength: 90, maxLength: 90 });
    await fc.assert(
      fc.asyncProperty(entries, pauses, async (all, turns) => {
        await database.query(statement('test.delete-all', 'DELETE FROM stock'));
        const batcher = inserts();
        const outcomes = [];
        for (const [index, one] of all.entries()) {
          outcomes.push(batcher.add(one, later()).catch((error: { code: string }) => error.code));
          for (let count = turns[index] as number; count > 0; count--) await turn();
        }
        expect(await Promise.all(outcomes)).toEqual(
          all.map(({ amount }) => (amount < 0 ? '23514' : amount)), // check_violation
        );
        const good = all.filter(({ amount }) => amount >= 0);
        expect(await stored()).toEqual(new Set(good.map(({ id }) => id)));
      }),
      { numRuns: 40 },
    );
  });

  it('stores one of two equal ids, whether they meet in one statement or in two', async () => {
    for (const turns of [0, 1, 3]) {
      const batcher = inserts();
      const outcomes: Promise<number | string>[] = [];
      for (let amount = 1; amount <= 2; amount++) {
        const entry = { id: `twice ${turns}`, amount };
        outcomes.push(batcher.add(entry, later()).catch((error: { code: string }) => error.code));
        for (let count = turns; count > 0; count--) await turn();
      }
      const [stored, refused] = (await Promise.all(outcomes)).toSorted();
      expect([1, 2]).toContain(stored);
      expect(refused).toBe('23505'); // unique_violation
    }
  });
});
