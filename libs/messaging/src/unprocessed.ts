import type { EventReference } from '@vaultsvc/contracts';
import { statement, type Database } from '@vaultsvc/database';
import type { EventConsumer } from './event-consumer.js';

/**
 * Answers `<service>.unprocessed`: of the events that concern this consumer, those that it neither applied nor
 * gave up. What lies among the dead letters waits for an operator, and sending it again would not help.
 */
export async function unprocessed(
  database: Database,
  consumer: EventConsumer | undefined,
  events: readonly EventReference[],
): Promise<string[]> {
  // Declared, but not applied by this build yet: they wait for the one that does.
  if (!consumer) return events.map(({ id }) => id);
  const ids = events.filter(({ name }) => consumer.concerns(name)).map(({ id }) => id);
  const rows = await database.query<{ id: string }>(lacking, [consumer.durable, ids]);
  return rows.map(({ id }) => id);
}

const lacking = statement(
  'processed.lacking',
  `SELECT asked.id::text AS id FROM unnest($2::uuid[]) AS asked (id)
    WHERE NOT EXISTS (SELECT 1 FROM processed WHERE consumer = $1 AND event_id = asked.id)
      AND NOT EXISTS (SELECT 1 FROM dead_letters WHERE consumer = $1 AND event_id = asked.id::text)`,
);
