import type { DataSource } from 'typeorm';

/** A service was given a role that may do more than serve. */
export class UnsuitableRole extends Error {
  override readonly name = 'UnsuitableRole';
}

interface Rights {
  readonly role: string;
  readonly bypasses: boolean;
  readonly owns: boolean;
  readonly creates: boolean;
}

/**
 * Refuses the roles that the separation of SECURITY.md excludes: a service that runs as the owner of its tables could drop the triggers
 * that keep the audit log, and a superuser ignores the rights of all.
 * @throws UnsuitableRole
 */
export async function assertServingRole(source: DataSource, schema: string): Promise<void> {
  const [rights] = await source.query<Rights[]>(readRights, [schema]);
  if (!rights) return; // the schema is missing, which pending migrations report
  const { role, bypasses, owns, creates } = rights;
  const may = bypasses
    ? 'ignores all rights and policies'
    : owns
      ? `owns the schema "${schema}" or tables in it`
      : creates
        ? `may create tables in the schema "${schema}"`
        : undefined;
  if (may === undefined) return;
  throw new UnsuitableRole(
    `the role "${role}" ${may}: give the service the URL of its own role, and that of the owner to migrate and restore-fence alone`,
  );
}

const readRights = `
  SELECT current_user AS role,
         (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user) AS bypasses,
         pg_has_role(current_user, nspowner, 'USAGE') OR EXISTS (
           SELECT FROM pg_class WHERE relnamespace = namespace.oid AND pg_has_role(current_user, relowner, 'USAGE')) AS owns,
         has_schema_privilege(current_user, namespace.oid, 'CREATE') AS creates
    FROM pg_namespace AS namespace WHERE nspname = $1`;
