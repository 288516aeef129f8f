import { ConfigError, environmentOf, loadServiceConfig, type ServiceConfig } from '@vaultsvc/config';
import type { ServiceDefinition } from '../define-service.js';

/** A service and its settings. */
export interface ConfiguredService {
  readonly definition: ServiceDefinition;
  readonly config: ServiceConfig;
}

/** Two services of a machine cannot have the same: a port, or a place for their objects. */
const DIFFERENT = ['HTTP_PORT', 'OBJECTS_DIR', 'S3_BUCKET'];

/**
 * The settings of all services of a process, from one environment (`environmentOf`).
 * @param environment by default that of the process
 * @param defaults of settings, instead of those of the classes
 * @throws ConfigError naming the problems of all of them at once, each with the services that have it
 */
export function loadConfigs(
  definitions: readonly ServiceDefinition[],
  environment?: NodeJS.ProcessEnv,
  defaults: Readonly<Record<string, string>> = {},
): readonly ConfiguredService[] {
  const problems = new Map<string, string[]>();
  const add = (problem: string, service: string) =>
    problems.set(problem, [...(problems.get(problem) ?? []), service]);
  const configured = definitions.flatMap((definition) => {
    try {
      const { name } = definition;
      const own = { ...defaults, ...environmentOf(name, environment) };
      return [{ definition, config: loadServiceConfig(name, definition.config, own) }];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const problem of error.problems) add(problem, definition.name);
      return [];
    }
  });
  const sentences = [...problems].map(([problem, services]) =>
    services.length === definitions.length ? problem : `${services.join(', ')}: ${problem}`,
  );
  const all = [...sentences, ...DIFFERENT.flatMap((name) => sharedValues(name, configured))];
  if (all.length > 0) throw new ConfigError(all);
  return configured;
}

function sharedValues(setting: string, configured: readonly ConfiguredService[]): string[] {
  const servicesOf = new Map<unknown, string[]>();
  for (const { definition, config } of configured) {
    const value: unknown = Reflect.get(config, setting);
    // Port 0 is a free one, and an empty place none.
    if (value) servicesOf.set(value, [...(servicesOf.get(value) ?? []), definition.name]);
  }
  const shared = [...servicesOf.values()].filter(({ length }) => length > 1);
  return shared.map((services) => {
    const own = services.map((service) => `${service.toUpperCase()}_${setting}`);
    return `${setting} is the same for ${services.join(' and ')}: set ${own.join(' and ')}`;
  });
}
