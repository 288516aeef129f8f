/** Services whose tables may be spread over several databases, by account (ADR 61, ADR 63). */
const shardedServices: readonly string[] = ['sparks', 'reporting'];

/** As `shardBy`: each shard answers for itself, and the caller chooses one. */
export const EVERY_SHARD = '*';

export function isSharded(service: string): boolean {
  return shardedServices.includes(service);
}
