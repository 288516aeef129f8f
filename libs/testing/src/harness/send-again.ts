import { Database, statement } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';

/**
 * Has a service publish events once more that it has sent, under their ids, as after a crash in which it lost that they were.
 * @param where a condition on `recorded_events`
 * @returns the ids of the events
 */
export async function sendAgain({ context }: RunningService, where: string): Promise<string[]> {
  const columns = 'id, name, account_id, request_id, payload, occurred_at';
  const again = statement(
    'test.send-again',
    `INSERT INTO outbox (${columns}) SELECT ${columns} FROM recorded_events WHERE ${where} RETURNING id`,
  );
  const rows = await context.get(Database).query<{ id: string }>(again);
  return rows.map(({ id }) => id);
}

/** Whether a service has sent all of its events. */
export async function hasSentAll({ context }: RunningService): Promise<boolean> {
  return (await context.get(Database).query(statement('test.unsent', 'SELECT 1 FROM outbox'))).length === 0;
}
