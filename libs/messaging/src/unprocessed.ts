import type { EventReference } from '@vaultsvc/contracts';
import { statement, type Database } from '@vaultsvc/database';
import type { EventConsumer } from './event-consumer.js';

/**
 * Answers `<service>.unprocessed`: those that this consumer neither applied nor gave up. What lies among the dead letters
 * waits for an operator, and sending it again would not help. A name that this build does not know is one of a newer
 * release, whose sender declares it ours: it is sent again until a copy of that release is there to apply it.
 */
export async function findUnprocessed(
  database: Database,
  consumer: EventConsumer | undefined,
  events: readonly EventReference[],
): Promise<string[]> {
  // Declared, but not applied by this build yet: they wait for the one that does.
  if (!consumer) return events.map(({ id }) => id);
  const ids = events.map(({ id }) => id);
  const rows = await database.query<{ id: string }>(lacking, [consumer.durable, ids]);
  return rows.map(({ id }) => id);
}

const lacking = statement(
  'processed.lacking',
  `SELECT asked.id::text AS id FROM unnest($2::uuid[]) AS asked (id)
    WHERE NOT EXISTS (SELECT 1 FROM processed WHERE consumer = $1 AND event_id = asked.id)
      AND NOT EXISTS (SELECT 1 FROM dead_letters WHERE consumer = $1 AND event_id = asked.id::text)`,
);
