/** Services whose tables may be spread over several databases, by account (ADR 61). */
const shardedServices: readonly string[] = ['sparks'];

export function isSharded(service: string): boolean {
  return shardedServices.includes(service);
}
