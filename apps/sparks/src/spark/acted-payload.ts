import type { ActorFields } from '@vaultsvc/contracts';

/** The columns `actor_type`, `actor_id` and `actor` of a batch, for `actedPayload`. */
export function actorColumns(actors: readonly ActorFields[]) {
  return {
    actorTypes: actors.map(({ actor_type }) => actor_type),
    actorIds: actors.map(({ actor_id }) => actor_id),
    actors: actors.map(({ actor }) => (actor ? JSON.stringify(actor) : null)),
  };
}

/**
 * SQL for the payload of an event of a batch: these members and the actor of the row. Sessions and API keys have no `actor`, and
 * their payload is built at once: to parse or to concatenate JSON for each row would cost more than the rest of it.
 */
export function actedPayload(members: string): string {
  const acted = `${members}, 'actor_type', actor_type, 'actor_id', actor_id`;
  return `CASE WHEN actor IS NULL THEN jsonb_build_object(${acted}) ELSE jsonb_build_object(${acted}, 'actor', actor) END`;
}
