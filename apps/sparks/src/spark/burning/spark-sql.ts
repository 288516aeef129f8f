import type { ActorFields } from '@vaultsvc/contracts';

/** Larger Sparks leave alone: one of them would delay all others of its batch. */
export const BATCHED_BYTES_MAX = 32 * 1_024;

/** The members of a Spark in the payload of its events, for `jsonb_build_object` over a row with these columns. */
export const SPARK_MEMBERS = `'spark_id', id, 'account_id', account_id, 'size_bytes', size_bytes`;

/** As `SPARK_MEMBERS`, of a new Spark. */
export const CREATION_MEMBERS = `${SPARK_MEMBERS}, 'expires_at', floor(extract(epoch FROM expires_at))::bigint`;

/** Whether an account sees a row of `sparks`: without a kindling, another account's looks like a missing one (AMB-06). */
export function isVisibleTo(accountId: string, spark = 'sparks'): string {
  return `(${spark}.kindling IS NOT NULL OR ${spark}.account_id = ${accountId})`;
}

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
