import { loadConfig } from './load-config.js';

/**
 * The settings of a program of a service. `DATABASE_SCHEMA` is the name of the service unless given.
 * @throws ConfigError naming all problems at once
 */
export function loadServiceConfig<T extends object>(
  service: string,
  type: new () => T,
  environment: NodeJS.ProcessEnv = process.env,
): T {
  const { DATABASE_SCHEMA, DATABASE_SCHEMA_FILE } = environment;
  const schema = DATABASE_SCHEMA || DATABASE_SCHEMA_FILE ? {} : { DATABASE_SCHEMA: service };
  return loadConfig(type, { ...environment, ...schema });
}
