import { Setting, type Rule } from './load-config.js';
import { integer, secretUrl, text } from './parsers.js';
import { verifiedPostgres } from './production-rules.js';
import { ProfileConfig } from './profile-config.js';
import type { Secret } from './secret.js';

/** A program passes the name of its service as the default (`loadConfig`). */
const schemaGiven: Rule<string> = (schema) => (schema === '' ? 'is missing' : undefined);

/**
 * The settings of the connection to PostgreSQL. Programs that use the database alone read no others: the job with the password
 * of the owner needs no key of the service.
 */
export class DatabaseConfig extends ProfileConfig {
  @Setting(secretUrl, 'PostgreSQL URL with the role of this service.', verifiedPostgres)
  DATABASE_URL: Secret;

  @Setting(text, 'Schema with the tables of this service; by default the name of the service.', schemaGiven)
  DATABASE_SCHEMA = '';

  @Setting(integer({ min: 2, max: 100 }), 'Maximum of connections to PostgreSQL.')
  DATABASE_POOL_MAX = 10;

  @Setting(
    integer({ min: 2_000, max: 60_000 }),
    'Timeout of a statement in milliseconds. The lock timeout is one second less, the idle timeout of a transaction twice as long.',
  )
  DATABASE_STATEMENT_MS = 5_000;
}
