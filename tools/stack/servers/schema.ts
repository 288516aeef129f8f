/**
 * Creates the schema of a service with two roles. The owner (`ownerOf`) runs the migrations and owns the tables. The role of
 * the running service reads and writes rows and owns nothing: it can change no table, trigger or policy. Neither can access
 * another schema, so a compromised service reads only its own tables. Idempotent: sets the passwords again, and gives the
 * owner what the role of the service owned in earlier releases.
 * @param admin connected to the database as its owner
 * @param service names of `[a-z0-9_]`
 */
export async function provisionSchema(
  admin: { query(text: string): Promise<unknown> },
  {
    role,
    schema,
    password,
    ownerPassword,
  }: { role: string; schema: string; password: string; ownerPassword: string },
) {
  const owner = ownerOf(role);
  for (const name of [role, owner, schema]) assertPlainName(name);
  await admin.query(`${createRole(owner, ownerPassword)}; ${createRole(role, password)};
    ALTER ROLE ${owner} SET search_path = ${schema};
    ALTER ROLE ${role} SET search_path = ${schema};
    ${sessionDefaults(role)};
    CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION ${owner};
    ALTER SCHEMA ${schema} OWNER TO ${owner};
    REASSIGN OWNED BY ${role} TO ${owner};
    GRANT USAGE ON SCHEMA ${schema} TO ${role};
    ${grantUnreadableTables(schema, role)};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role};
    ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA ${schema}
      GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role};
    ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA ${schema} GRANT USAGE ON SEQUENCES TO ${role}`);
}

/**
 * What a service sets in each session, as defaults of its role: a pooler may drop the startup parameters that set it. They are those of
 * the default of DATABASE_STATEMENT_MS.
 */
function sessionDefaults(role: string) {
  return Object.entries({
    plan_cache_mode: 'force_generic_plan',
    statement_timeout: 5_000,
    lock_timeout: 4_000,
    idle_in_transaction_session_timeout: 10_000,
  })
    .map(([name, value]) => `ALTER ROLE ${role} SET ${name} = ${value}`)
    .join('; ');
}

/**
 * Tables of earlier releases, which the role of the service owned. On all others its privileges are those of their migration,
 * which may have withdrawn some.
 */
function grantUnreadableTables(schema: string, role: string) {
  return `DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = '${schema}'
        AND NOT has_table_privilege('${role}', format('%I.%I', schemaname, tablename), 'SELECT')
      LOOP EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I.%I TO ${role}', '${schema}', name); END LOOP;
    END $$`;
}

/**
 * @param role of a running service
 * @returns the role that owns its tables
 */
export function ownerOf(role: string): string {
  return `${role}_owner`;
}

function createRole(role: string, password: string) {
  const secret = password.replaceAll("'", "''");
  return `DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role} LOGIN; END IF;
    END $$;
    ALTER ROLE ${role} PASSWORD '${secret}' NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS`;
}

/**
 * Restricts every role of the database to its own schema.
 * @param admin connected to that database
 */
export async function revokePublicAccess(admin: { query(text: string): Promise<unknown> }, database: string) {
  assertPlainName(database);
  await admin.query(`REVOKE ALL ON SCHEMA public FROM PUBLIC`);
  // CONNECT is kept: the roles of all services connect to this database.
  await admin.query(`REVOKE CREATE, TEMPORARY ON DATABASE ${database} FROM PUBLIC`);
}

/**
 * Lets no other role than these, and the superuser, connect to a database.
 * @param admin connected to the server as its superuser
 */
export async function restrictConnections(
  admin: { query(text: string): Promise<unknown> },
  database: string,
  roles: string[],
) {
  for (const name of [database, ...roles]) assertPlainName(name);
  await admin.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`);
  for (const role of roles) await admin.query(`GRANT CONNECT ON DATABASE ${database} TO ${role}`);
}

/** @param name for statements that cannot have parameters */
function assertPlainName(name: string) {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) throw new Error(`Not a plain PostgreSQL name: ${name}`);
}
