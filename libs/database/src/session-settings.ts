import type { DatabaseConfig } from '@vaultsvc/config';
import type { DataSource } from 'typeorm';

/** The lock timeout is shorter than the statement timeout, so that its error names the lock. */
const LOCK_BEFORE_MS = 1_000;

type SessionConfig = Pick<DatabaseConfig, 'DATABASE_SCHEMA' | 'DATABASE_STATEMENT_MS'>;

/** A connection lacks settings that the service depends on. */
export class SessionSettingsMissing extends Error {
  override readonly name = 'SessionSettingsMissing';
}

/**
 * What holds in each session of a running service: its schema, and timeouts for statements, locks and idle transactions, in
 * milliseconds.
 */
export function sessionSettings({ DATABASE_SCHEMA, DATABASE_STATEMENT_MS: statementMs }: SessionConfig) {
  return {
    search_path: DATABASE_SCHEMA,
    // The plan that specs examine. For an array PostgreSQL would plan anew each time, which took longer than a batched burn.
    plan_cache_mode: 'force_generic_plan',
    statement_timeout: String(statementMs),
    lock_timeout: String(statementMs - LOCK_BEFORE_MS),
    idle_in_transaction_session_timeout: String(2 * statementMs),
  };
}

/** The startup parameter `options` with these settings. */
export function startupOptions(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/**
 * Verifies that the settings arrived. A pooler may drop startup parameters; then they must be the defaults of the role, or a statement
 * could run for ever.
 * @throws SessionSettingsMissing with the SQL that sets them
 */
export async function assertSessionSettings(source: DataSource, config: SessionConfig): Promise<void> {
  const expected = Object.entries(sessionSettings(config));
  const rows = await source.query<{ name: string; setting: string; role: string }[]>(readSettings, [
    expected.map(([name]) => name),
  ]);
  const actual = new Map(rows.map(({ name, setting }) => [name, setting]));
  const missing = expected.filter(([name, value]) => actual.get(name) !== value);
  if (missing.length === 0) return;
  const found = missing.map(([name, value]) => `${name} is ${actual.get(name) || 'empty'}, not ${value}`);
  const role = rows[0]?.role ?? '';
  const statements = missing.map(([name, value]) => `ALTER ROLE "${role}" SET ${name} = ${value};`);
  throw new SessionSettingsMissing(
    `settings of the service do not reach its connection, as behind a pooler that drops them (${found.join(', ')}): ` +
      `make them defaults of the role, then reconnect the pooler: ${statements.join(' ')}`,
  );
}

const readSettings = `
  SELECT name, setting, current_user AS role FROM pg_settings WHERE name = ANY ($1)`;
