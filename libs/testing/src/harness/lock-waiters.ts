import { Database, statement } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';

/** How many connections of a running service wait for a lock in PostgreSQL. Each service has a role of its own. */
export async function lockWaiters({ context }: RunningService): Promise<number> {
  const [row] = await context.get(Database).query<{ count: number }>(countWaiters);
  return row?.count ?? 0;
}

const countWaiters = statement(
  'test.lock-waiters',
  `SELECT count(*) AS count FROM pg_stat_activity WHERE usename = current_user AND wait_event_type = 'Lock'`,
);
