import { Database, statement } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';
import { eventually } from '../waiting/index.js';

/** How many connections of a running service wait for a lock in PostgreSQL. Each service has a role of its own. */
export async function lockWaiters({ context }: RunningService): Promise<number> {
  const [row] = await context.get(Database).query<{ count: number }>(countWaiters);
  return row?.count ?? 0;
}

/** The process ids of the service's connections that wait for a lock with a statement that begins so, once there are some. */
export async function waitersWith({ context }: RunningService, statementStart: string): Promise<number[]> {
  const read = () => context.get(Database).query<{ pid: number }>(readWaiting, [statementStart]);
  return (await eventually(read, ({ length }) => length > 0)).map(({ pid }) => pid);
}

const readWaiting = statement(
  'test.waiting-statement',
  `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND wait_event_type = 'Lock' AND starts_with(query, $1)`,
);

const countWaiters = statement(
  'test.lock-waiters',
  `SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user AND wait_event_type = 'Lock'`,
);
