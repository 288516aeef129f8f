import { ConfigError, DatabaseConfig, Secret, secretUrl, Setting, verifiedPostgres } from '@vaultsvc/config';
import type { DatabaseSettings } from '@vaultsvc/database';

/** The settings of both databases of sparks, of which its migrations need no others. */
export class KeysDatabaseConfig extends DatabaseConfig {
  @Setting(
    secretUrl,
    'PostgreSQL URL of the database of hourly keys. None: that of DATABASE_URL with `_keys` added to its name.',
    (url, config) => (url.reveal() === '' ? undefined : verifiedPostgres(url, config)),
  )
  KEYS_DATABASE_URL: Secret = new Secret('');
}

const KEYS_POOL_MAX = 3;

/**
 * The pool of the keys database. A cached key needs no query for 5 minutes, so few connections suffice.
 * @throws ConfigError when it is the database of the Sparks, whose copies would then open them
 */
export function keysDatabaseSettings(config: KeysDatabaseConfig): DatabaseSettings {
  const { DATABASE_URL, DATABASE_SCHEMA, DATABASE_STATEMENT_MS } = config;
  const given = config.KEYS_DATABASE_URL.reveal();
  const url = new URL(given || DATABASE_URL.reveal());
  if (given === '') url.pathname += '_keys';
  if (isSameDatabase(url, new URL(DATABASE_URL.reveal())))
    throw new ConfigError(['KEYS_DATABASE_URL must name another database than DATABASE_URL']);
  return {
    DATABASE_URL: new Secret(url.href),
    DATABASE_SCHEMA,
    DATABASE_POOL_MAX: KEYS_POOL_MAX,
    DATABASE_STATEMENT_MS,
  };
}

function isSameDatabase(one: URL, other: URL): boolean {
  const nameOf = ({ hostname, port, pathname }: URL) => `${hostname}:${port || 5_432}${pathname}`;
  return nameOf(one) === nameOf(other);
}
