import { Database, statement } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';

/** How many connections of a running service wait for a lock in PostgreSQL. Each service has a role of its own. */
export async function lockWaiters({ context }: RunningService): Promise<number> {
  const [row] = await context.get(Database).query<{ count: number }>(countWaiters);
  return row?.count ?? 0;
}

/** Whether a connection of the service waits for a lock with a statement that begins so. */
export async function isWaiting({ context }: RunningService, statementStart: string): Promise<boolean> {
  return (await context.get(Database).query(readWaiting, [statementStart])).length > 0;
}

const readWaiting = statement(
  'test.waiting-statement',
  `SELECT pid FROM pg_stat_activity
    WHERE usename = current_user AND wait_event_type = 'Lock' AND starts_with(query, $1)`,
);

const countWaiters = statement(
  'test.lock-waiters',
  `SELECT count(*) AS count FROM pg_stat_activity WHERE usename = current_user AND wait_event_type = 'Lock'`,
);
