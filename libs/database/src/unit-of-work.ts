import { AsyncLocalStorage } from 'node:async_hooks';
import type { Effect, Queryable, Statement, Transaction } from './statement.js';

/** A transaction that statements and transactions of the same database join, wherever they are called. */
export interface UnitOfWork {
  readonly database: Queryable;
  readonly tx: Transaction;
  /** Timers and loops that the work has started stay in its context after its end; they are in no unit then. */
  readonly life: { hasEnded: boolean };
  /** The last step on the connection of the transaction; savepoints of two steps must not overlap. */
  tail: Promise<unknown>;
}

const storage = new AsyncLocalStorage<UnitOfWork>();
let running = 0;

/** The unit of work that the caller is in; undefined outside of one. */
export function currentUnit(database: Queryable): UnitOfWork | undefined {
  const unit = storage.getStore();
  return unit?.database === database && !unit.life.hasEnded ? unit : undefined;
}

/** Whether the caller is in a unit of work of any database. Its statements must not leave with those of others. */
export function isInUnit(): boolean {
  return storage.getStore()?.life.hasEnded === false;
}

/**
 * Runs the work in a unit. AsyncLocalStorage costs every promise of a process something while it is enabled, so it is
 * disabled when the last unit has ended.
 */
export async function runInUnit<T>(database: Queryable, tx: Transaction, work: () => Promise<T>): Promise<T> {
  const unit: UnitOfWork = { database, tx, life: { hasEnded: false }, tail: Promise.resolve() };
  running += 1;
  try {
    return await storage.run(unit, work);
  } finally {
    unit.life.hasEnded = true;
    // A step that nobody waited for must not run on a connection that others use by then.
    await unit.tail;
    running -= 1;
    if (running === 0) storage.disable();
  }
}

/** Runs work in which further steps nest. Like the unit, it ends when those have ended. */
async function enter<T>(unit: Omit<UnitOfWork, 'tail'>, work: () => Promise<T>): Promise<T> {
  const inner: UnitOfWork = { ...unit, tail: Promise.resolve() };
  try {
    return await storage.run(inner, work);
  } finally {
    await inner.tail;
  }
}

/**
 * Runs work in a savepoint of the unit, after the previous step: if it fails, what it changed is undone, and the transaction
 * can go on. Within the work, further steps nest.
 */
export function inSavepoint<T>(unit: UnitOfWork, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const step = unit.tail.then(() => runStep(unit, work));
  unit.tail = step.catch(() => undefined);
  return step;
}

async function runStep<T>(unit: UnitOfWork, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { tx } = unit;
  if (unit.life.hasEnded) throw new Error('the unit of work has ended before this step of it');
  const effects: Effect[] = [];
  const inner: Transaction = {
    manager: tx.manager,
    query: (statement, values) => tx.query(statement, values),
    afterCommit: (effect) => void effects.push(effect),
  };
  await tx.query(savepoint);
  try {
    const result = await enter({ ...unit, tx: inner }, () => work(inner));
    await tx.query(release);
    for (const effect of effects) tx.afterCommit(effect);
    return result;
  } catch (error) {
    // A lost connection has ended the transaction already.
    await tx.query(rollBack).then(
      () => tx.query(release),
      () => undefined,
    );
    throw error;
  }
}

// Not prepared: a savepoint is no plan. The latest one of a name is meant, so that they nest.
const savepoint: Statement = { name: '', text: 'SAVEPOINT step' };
const release: Statement = { name: '', text: 'RELEASE SAVEPOINT step' };
const rollBack: Statement = { name: '', text: 'ROLLBACK TO SAVEPOINT step' };
