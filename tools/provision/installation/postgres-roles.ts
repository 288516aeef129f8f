import { provisionSchema, restrictConnections, revokePublicAccess } from '../../stack/servers/schema.ts';
import { servicesWithKeys } from '../../stack/settings.ts';

const database = 'vaultsvc';
const keysDatabase = 'vaultsvc_keys';

/**
 * The script for psql that creates databases, schemas and roles, as the superuser. It may run again: a later release adds roles, and
 * passwords are set anew.
 * @param passwords of the roles of services, and of their owners (`<service>_owner`)
 */
export async function postgresScript(
  services: readonly string[],
  passwords: Readonly<Record<string, string>>,
): Promise<string> {
  const lines = ['\\set ON_ERROR_STOP on', "SET log_statement = 'none';"];
  const recorder = { query: (text: string) => Promise.resolve(lines.push(`${text};`)) };
  for (const name of [database, keysDatabase]) lines.push(createDatabase(name));
  lines.push('REVOKE CONNECT ON DATABASE postgres FROM PUBLIC;');
  for (const [name, owners] of [
    [database, services],
    [keysDatabase, servicesWithKeys],
  ] as const) {
    lines.push(`\\connect ${name}`, "SET log_statement = 'none';");
    await revokePublicAccess(recorder, name);
    for (const service of owners) {
      const [password = '', ownerPassword = ''] = [passwords[service], passwords[`${service}_owner`]];
      await provisionSchema(recorder, { role: service, schema: service, password, ownerPassword });
    }
  }
  const keyRoles = servicesWithKeys.flatMap((service) => [service, `${service}_owner`]);
  await restrictConnections(recorder, keysDatabase, keyRoles);
  return `${lines.join('\n')}\n`;
}

/** PostgreSQL has no IF NOT EXISTS for databases; psql runs what the query returns. */
function createDatabase(name: string) {
  return `SELECT 'CREATE DATABASE ${name}' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = '${name}')\\gexec`;
}
