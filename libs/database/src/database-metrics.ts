import { addMetricSource } from '@vaultsvc/telemetry';
import type { Pool } from 'pg';
import { Gauge } from 'prom-client';
import { type Queryable, statement } from './statement.js';

const connections = new Gauge({
  name: 'vaultsvc_database_connections',
  help: 'Open connections of a pool, by pool (database.schema) and state: used or idle.',
  labelNames: ['pool', 'state'],
});
const limit = new Gauge({
  name: 'vaultsvc_database_connections_max',
  help: 'Connections that a pool may open (DATABASE_POOL_MAX), by pool.',
  labelNames: ['pool'],
});
const waiting = new Gauge({
  name: 'vaultsvc_database_waiting_callers',
  help: 'Callers that wait for a connection, by pool. After DATABASE_STATEMENT_MS they get BUSY.',
  labelNames: ['pool'],
});
const version = new Gauge({
  name: 'vaultsvc_schema_version',
  help: 'Timestamp in the name of the newest migration that has run, by pool.',
  labelNames: ['pool'],
});

/**
 * Measures a pool at every scrape.
 * @returns ends that
 */
export function measurePool(name: string, pool: Pool): () => void {
  limit.set({ pool: name }, pool.options.max);
  return addMetricSource({
    collect: () => {
      connections.set({ pool: name, state: 'used' }, pool.totalCount - pool.idleCount);
      connections.set({ pool: name, state: 'idle' }, pool.idleCount);
      waiting.set({ pool: name }, pool.waitingCount);
      return Promise.resolve();
    },
    forget: () => {
      for (const state of ['used', 'idle']) connections.remove({ pool: name, state });
      waiting.remove({ pool: name });
    },
  });
}

/**
 * Reads the version of a schema at every scrape: migrations run while services of the previous release do.
 * @returns ends that
 */
export function measureSchema(name: string, database: Queryable): () => void {
  return addMetricSource({
    collect: async () => {
      const [row] = await database.query<{ version: number | null }>(selectVersion);
      version.set({ pool: name }, Number(row?.version ?? 0));
    },
    forget: () => version.remove({ pool: name }),
  });
}

const selectVersion = statement(
  'metrics.schema-version',
  `SELECT max("timestamp") AS version FROM migrations`,
);
