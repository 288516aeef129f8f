import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { recordedTrace, startSpan } from '@vaultsvc/telemetry';
import { Histogram } from 'prom-client';
import type { DataSource } from 'typeorm';
import type { ConnectionPool } from './connection-pool.js';
import './pg-types.js';
import type { Effect, Queryable, Statement, Transaction } from './statement.js';
import { currentUnit, inSavepoint, runInUnit } from './unit-of-work.js';
import { WakeSignal } from './wake-signal.js';

const duration = new Histogram({
  name: 'vaultsvc_statement_duration_seconds',
  help: 'Time of a prepared statement, waiting for a connection included, by statement.',
  labelNames: ['statement'],
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
});

/** The connection pool of this service. Every statement runs in the service's own schema, under its own role. */
export class Database implements Queryable {
  readonly #logger = new Logger('database');
  readonly pool: ConnectionPool;
  readonly #publications = new WakeSignal();

  constructor(readonly dataSource: DataSource) {
    this.pool = (dataSource.driver as unknown as { master: ConnectionPool }).master;
  }

  async query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const unit = currentUnit(this);
    if (unit) return inSavepoint(unit, (tx) => tx.query<Row>(statement, values));
    if (statement.hasPublished && recordedTrace())
      return this.#transaction((tx) => tx.query<Row>(statement, values));
    const rows = await run<Row>(this.pool, statement, values);
    if (statement.hasPublished?.(rows)) this.#publications.wake();
    return rows;
  }

  /** Runs the work in one READ COMMITTED transaction; any error rolls it back. In a unit of work, in a savepoint of it. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const unit = currentUnit(this);
    return unit ? inSavepoint(unit, work) : this.#transaction(work);
  }

  /**
   * Runs the work in one transaction that every statement and transaction of this database joins, also of classes that the
   * work calls: all of it is committed, or nothing. Batched statements leave alone.
   */
  unitOfWork<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#transaction((tx) => runInUnit(this, tx, () => work(tx)));
  }

  /**
   * Waits until events are committed that a statement of this process has inserted into the outbox; at once if some were since
   * the previous wait. Returns whether there were any.
   */
  nextPublication(withinMs: number, signal: AbortSignal): Promise<boolean> {
    return this.#publications.next(withinMs, signal);
  }

  async #transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const effects: Effect[] = [];
    let hasPublished = false;
    const result = await this.dataSource.transaction(async (manager) => {
      const client = (await manager.queryRunner?.connect()) as PoolClient;
      let tracing: Promise<void> | undefined;
      const tx: Transaction = {
        manager,
        afterCommit: (effect) => void effects.push(effect),
        query: async <Row extends object>(statement: Statement, values: readonly unknown[] = []) => {
          if (statement.hasPublished) await (tracing ??= traceEvents(client, this.pool.isPrepared));
          const rows = await send<Row>(client, statement, [...values], this.pool.isPrepared);
          hasPublished ||= statement.hasPublished?.(rows) ?? false;
          return rows;
        },
      };
      return work(tx).catch((error: unknown) => dropIfSilent(client, error));
    });
    if (hasPublished) this.#publications.wake();
    for (const effect of effects) await this.#run(effect);
    return result;
  }

  async #run(effect: Effect): Promise<void> {
    try {
      await effect();
    } catch (error) {
      this.#logger.error({ msg: 'an effect after the commit failed', err: error });
    }
  }

  /** A dedicated connection, for LISTEN or session locks. The caller releases it. */
  connect(): Promise<PoolClient> {
    return this.pool.connect();
  }
}

/**
 * On a read timeout pg fails the statement but keeps the connection, which would fail the rollback and its next user. The
 * pool itself drops connections of single statements.
 */
function dropIfSilent(client: PoolClient, error: unknown): never {
  const isSilent = error instanceof Error && error.message === 'Query read timeout';
  if (isSilent) (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  throw error;
}

async function run<Row extends QueryResultRow>(
  on: ConnectionPool,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const stop = duration.startTimer({ statement: statement.name });
  try {
    return await send<Row>(on, statement, values as unknown[], on.isPrepared);
  } finally {
    stop();
  }
}

const POSTGRES = { 'db.system.name': 'postgresql' };

/** Its span has the name of the statement, neither its text nor its values. */
async function send<Row extends QueryResultRow>(
  on: Pool | PoolClient,
  { name, text }: Statement,
  values: unknown[],
  isPrepared: boolean,
): Promise<Row[]> {
  const span = startSpan('client', name, POSTGRES);
  const query = isPrepared ? { name, text, values } : { text, values };
  if (!span) return (await on.query<Row>(query)).rows;
  try {
    const { rows } = await on.query<Row>(query);
    span.end();
    return rows;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

const setTrace = `SELECT set_config('vaultsvc.trace', $1, true)`;

/** Lets the events of this transaction continue the trace of their request, if it is recorded. */
async function traceEvents(client: PoolClient, isPrepared: boolean): Promise<void> {
  const trace = recordedTrace();
  if (!trace) return;
  // Without a span: it is no statement of the operation.
  const query = { text: setTrace, values: [trace] };
  await client.query(isPrepared ? { name: 'trace.set', ...query } : query);
}
