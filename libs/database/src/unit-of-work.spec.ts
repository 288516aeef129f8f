import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startSpecDatabase } from '@vaultsvc/testing/harness';
import { Batcher } from './batcher/index.js';
import type { Database } from './database.js';
import { statement } from './statement.js';

const insert = statement('unit.insert', `INSERT INTO notes (id) VALUES ($1)`);
const select = statement('unit.select', `SELECT id FROM notes ORDER BY id`);
const clear = statement('unit.clear', `DELETE FROM notes`);

let database: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ database, close } = await startSpecDatabase('units', ['CREATE TABLE notes (id int PRIMARY KEY)']));
});
afterAll(() => close());
beforeEach(async () => void (await database.query(clear)));

const ids = async () => (await database.query<{ id: number }>(select)).map(({ id }) => id);
const add = (id: number) => database.query(insert, [id]);

describe('OPEN-67: a unit of work', () => {
  it('commits the statements and transactions of all classes that it calls together', async () => {
    const observer = database.transaction(async () => {}); // outside of the unit
    await database.unitOfWork(async () => {
      await add(1);
      await database.transaction(async (tx) => void (await tx.query(insert, [2])));
      expect(await ids()).toEqual([1, 2]);
      await observer;
    });
    expect(await ids()).toEqual([1, 2]);
  });

  it('undoes all of them when it fails', async () => {
    const work = database.unitOfWork(async () => {
      await add(1);
      await database.transaction(async () => void (await add(2)));
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await ids()).toEqual([]);
  });

  it('goes on after a statement and a transaction that failed, without what they changed', async () => {
    await database.unitOfWork(async () => {
      await add(1);
      await expect(add(1)).rejects.toThrow(/duplicate key/);
      const failing = database.transaction(async () => {
        await add(2);
        await add(1);
      });
      await expect(failing).rejects.toThrow(/duplicate key/);
      await add(3);
    });
    expect(await ids()).toEqual([1, 3]);
  });

  it('runs concurrent steps one after another, each in a savepoint of its own', async () => {
    await database.unitOfWork(async () => {
      const steps = [1, 2, 1, 3].map((id) =>
        database
          .transaction(async () => void (await add(id)))
          .then(
            () => 'done',
            () => 'failed',
          ),
      );
      expect((await Promise.all(steps)).sort()).toEqual(['done', 'done', 'done', 'failed']);
    });
    expect(await ids()).toEqual([1, 2, 3]);
  });

  it('is not joined by callers that run meanwhile, nor by batches of theirs', async () => {
    const batcher = new Batcher<number, null>({
      name: 'unit.batch',
      run: async (items) => {
        for (const id of items) await add(id);
        return items.map(() => null);
      },
    });
    const deadline = Date.now() + 10_000;
    let other: Promise<unknown> | undefined;
    const startOther = () => (other = Promise.all([add(10), batcher.add(11, deadline)]));
    const starter = new Promise<void>((resolve) => setImmediate(() => (startOther(), resolve())));
    const work = database.unitOfWork(async () => {
      await starter;
      await batcher.add(1, deadline);
      await other;
      throw new Error('rolled back');
    });
    await expect(work).rejects.toThrow('rolled back');
    expect(await ids()).toEqual([10, 11]);
  });

  it('runs effects once, after the commit; those of a failed step never', async () => {
    const effects: string[] = [];
    await database.unitOfWork(async (tx) => {
      tx.afterCommit(async () => void effects.push(`outer ${(await ids()).length}`));
      await database.transaction(async (inner) => {
        inner.afterCommit(async () => void effects.push('inner'));
        await add(1);
      });
      await database
        .transaction(async (inner) => {
          inner.afterCommit(async () => void effects.push('failed'));
          throw new Error('step');
        })
        .catch(() => undefined);
      expect(effects).toEqual([]);
    });
    expect(effects).toEqual(['outer 1', 'inner']);
  });

  it('ends the step under way that nobody waits for, and refuses queued ones, before its connection serves others', async () => {
    let steps: Promise<string[]> | undefined;
    const outcome = (step: Promise<unknown>) =>
      step.then(
        () => 'done',
        (error: Error) => error.message,
      );
    const work = database.unitOfWork(async () => {
      steps = Promise.all([1, 2, 3].map((id) => outcome(add(id))));
      throw new Error('rolled back');
    });
    const others = [10, 11, 12].map((id) => database.transaction(async (tx) => tx.query(insert, [id])));
    await expect(work).rejects.toThrow('rolled back');
    await Promise.all(others);
    for (const each of (await steps) ?? []) expect(each).toMatch(/done|has ended/);
    expect(await ids()).toEqual([10, 11, 12]);
  });

  it('does not reach what it has started and what runs after its end', async () => {
    let later: Promise<unknown> | undefined;
    let start = () => {};
    const ended = new Promise<void>((resolve) => (start = resolve));
    await database.unitOfWork(async () => {
      await add(1);
      later = ended.then(() => add(2));
    });
    start();
    await later;
    expect(await ids()).toEqual([1, 2]);
  });
});
