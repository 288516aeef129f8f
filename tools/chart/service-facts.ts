import { REQUIRED, serviceConfigs, type Setting } from '../docs/settings.ts';
import { readTopology, type Topology } from '../provision/topology.ts';
import { services } from '../stack/settings.ts';
import {
  dependencies,
  furtherSecrets,
  ofOneService,
  ownedByChart,
  provisioned,
  publicPorts,
} from './setting-kinds.ts';

/** As in apps/sparks/src/config.ts. */
const KEYS_POOL_MAX = 3;

/** What the templates know of a service. Names are those of settings. */
export interface ServiceFacts {
  /** Servers that it reaches (`setting-kinds.ts`). No service reaches another one: their calls go through NATS. */
  readonly uses: readonly string[];
  /** Its public ports, by their names. */
  readonly ports: Readonly<Record<string, number>>;
  readonly shutdownMs: { readonly delay: number; readonly grace: number };
  /** Most connections to PostgreSQL of one process; 0 without a database. */
  readonly connections: number;
  /** Whether accounts may be spread over several databases of it. */
  readonly isSharded: boolean;
  /** Those to the keys database, whose pool no setting changes. */
  readonly furtherConnections: number;
  /** Secrets without which it does not start, made by provision. */
  readonly keys: readonly string[];
  /** Secrets without which it does not start, of the operator. */
  readonly secrets: readonly string[];
  /** Further secrets, which it reads if they are listed in `secretSettings`. */
  readonly optionalSecrets: readonly string[];
  /** Settings that must have a value. */
  readonly required: readonly string[];
  /** All settings of the operator but secrets. */
  readonly settings: readonly string[];
}

/** @returns by service, in the order of the stack */
export function chartServices(): Map<string, ServiceFacts> {
  const configs = serviceConfigs();
  const topology = readTopology();
  return new Map(
    services.map((service) => [service, factsOf(service, configs.get(service) ?? [], topology)]),
  );
}

/** @returns settings that services must not share, or whose defaults differ: they stand below `services` in the values */
export function settingsOfOneService(): string[] {
  const defaults = new Map<string, Set<string>>();
  for (const { name, fallback } of [...serviceConfigs().values()].flat())
    if (fallback !== REQUIRED) defaults.set(name, (defaults.get(name) ?? new Set()).add(fallback));
  const different = [...defaults].filter(([, values]) => values.size > 1).map(([name]) => name);
  return [...ofOneService, ...different].filter((name) => !ownedByChart.includes(name)).sort();
}

/** @returns whether its value may be in no manifest */
export function isSecret({ name, type }: Setting): boolean {
  return /\bSecret\b/.test(type) || furtherSecrets.includes(name);
}

function factsOf(service: string, settings: readonly Setting[], topology: Topology): ServiceFacts {
  const names = settings.map(({ name }) => name);
  const open = settings.filter((setting) => !ownedByChart.includes(setting.name) && !isSecret(setting));
  const secrets = settings.filter(isSecret);
  const needed = secrets.filter((setting) => isNeeded(setting, topology[service]?.consumesFrom ?? []));
  const namesOf = (list: readonly Setting[]) => list.map(({ name }) => name).sort();
  return {
    uses: [...new Set(names.flatMap((name) => dependencies[name] ?? []))],
    ports: portsOf(settings),
    shutdownMs: {
      delay: defaultNumber(settings, 'SHUTDOWN_DELAY_MS'),
      grace: defaultNumber(settings, 'SHUTDOWN_GRACE_MS'),
    },
    connections: names.includes('DATABASE_URL') ? defaultNumber(settings, 'DATABASE_POOL_MAX') : 0,
    isSharded: names.includes('SHARD'),
    furtherConnections: names.includes('KEYS_DATABASE_URL') ? KEYS_POOL_MAX : 0,
    keys: namesOf(needed.filter(({ name }) => provisioned.includes(name))),
    secrets: namesOf(needed.filter(({ name }) => !provisioned.includes(name))),
    optionalSecrets: namesOf(secrets.filter((setting) => !needed.includes(setting))),
    required: namesOf(open.filter(({ fallback }) => fallback === REQUIRED)),
    settings: namesOf(open),
  };
}

/** NATS needs a user, and a consumer the keys of its publishers, though both settings have a default. */
function isNeeded({ name, fallback }: Setting, sources: readonly string[]) {
  return fallback === REQUIRED || name === 'NATS_NKEY_SEED' || (name === 'EVENT_KEYS' && sources.length > 0);
}

function portsOf(settings: readonly Setting[]) {
  const found = settings.flatMap(({ name }) => {
    const port = publicPorts[name];
    return port === undefined ? [] : [[port, defaultNumber(settings, name)] as const];
  });
  return Object.fromEntries(found);
}

/** @throws for a default that is no number */
function defaultNumber(settings: readonly Setting[], name: string): number {
  const value = Number(settings.find((setting) => setting.name === name)?.fallback.replaceAll(/[`_]/g, ''));
  if (Number.isInteger(value)) return value;
  throw new Error(`${name} has no number as its default`);
}
