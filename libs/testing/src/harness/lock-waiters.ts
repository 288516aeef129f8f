import type { RunningService } from '@vaultsvc/service';
import { rowsOf } from './rows.js';

/** How many connections of a running service wait for a lock in PostgreSQL. Each service has a role of its own. */
export async function lockWaiters(service: RunningService): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(service, COUNT);
  return row?.count ?? 0;
}

const COUNT = `SELECT count(*) AS count FROM pg_stat_activity WHERE usename = current_user AND wait_event_type = 'Lock'`;
