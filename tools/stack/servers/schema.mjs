/**
 * Creates the role and the schema of a service. The role can access nothing else, so a compromised service reads only
 * its own tables. Idempotent; sets the password again.
 * @param {{ query(text: string): Promise<unknown> }} admin connected to the database as its owner
 * @param {{ role: string, schema: string, password: string }} service names of `[a-z0-9_]`
 */
export async function provisionSchema(admin, { role, schema, password }) {
  for (const name of [role, schema]) assertPlainName(name);
  const secret = password.replaceAll("'", "''");
  await admin.query(`DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role} LOGIN; END IF;
  END $$`);
  await admin.query(`ALTER ROLE ${role} PASSWORD '${secret}' NOSUPERUSER NOCREATEDB NOCREATEROLE`);
  await admin.query(`CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION ${role}`);
  await admin.query(`ALTER ROLE ${role} SET search_path = ${schema}`);
}

/**
 * Restricts every role of the database to its own schema.
 * @param {{ query(text: string): Promise<unknown> }} admin connected to that database
 * @param {string} database
 */
export async function revokePublicAccess(admin, database) {
  assertPlainName(database);
  await admin.query(`REVOKE ALL ON SCHEMA public FROM PUBLIC`);
  // CONNECT is kept: the roles of all services connect to this database.
  await admin.query(`REVOKE CREATE, TEMPORARY ON DATABASE ${database} FROM PUBLIC`);
}

/** @param {string} name for statements that cannot have parameters */
function assertPlainName(name) {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) throw new Error(`Not a plain PostgreSQL name: ${name}`);
}
