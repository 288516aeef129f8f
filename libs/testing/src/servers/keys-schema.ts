import {
  ownerOf,
  provisionSchema,
  servicesWithKeys,
  sharedServersOfRun,
} from '../../../../tools/test/servers.ts';
import { asAdmin, urlOfDatabase } from './admin.js';
import type { SchemaRole } from './schema-template.js';

/** Gives the role of a service with keys an empty schema in the keys database of the run. */
export async function provisionKeys(service: string, role: SchemaRole): Promise<void> {
  if (servicesWithKeys.includes(service)) await inKeysDatabase((admin) => provisionSchema(admin, role));
}

/** Removes what a role and its owner own in the keys database, so that both can be dropped. */
export async function dropKeys(service: string, role: string): Promise<void> {
  if (servicesWithKeys.includes(service))
    await inKeysDatabase((admin) => admin.query(`DROP OWNED BY ${role}, ${ownerOf(role)} CASCADE`));
}

/** The same server and user, in the keys database. */
export function urlOfKeys(databaseUrl: string): string {
  return urlOfDatabase(databaseUrl, 'vaultsvc_keys');
}

function inKeysDatabase(work: Parameters<typeof asAdmin>[1]): Promise<unknown> {
  return asAdmin(urlOfKeys(sharedServersOfRun().postgresUrl), work);
}
