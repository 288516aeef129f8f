import { hasOutbox, type Topology } from '../topology.ts';

/** Services with a schema in PostgreSQL. */
export function statefulServices(topology: Topology): string[] {
  return Object.keys(topology).filter(hasOutbox);
}

/** Services with a bucket, and its name. */
export const buckets: Readonly<Record<string, string>> = {
  forge: 'vaultsvc-files',
  reporting: 'vaultsvc-audit-log',
};

export const servicesWithObjects: readonly string[] = Object.keys(buckets);

/** The services that hold each shared key. */
export const holders: Readonly<Record<string, readonly string[]>> = {
  CURSOR_KEY: ['gateway'],
  CREDENTIAL_RECORD_KEY: ['gateway', 'auth'],
  POOL_SNAPSHOT_KEY: ['gateway', 'auth', 'reporting'],
};
