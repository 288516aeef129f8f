import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseCommandLine, UsageError } from './usage.ts';

/** The workspace that this launcher belongs to. */
export const workspace = fileURLToPath(new URL('../..', import.meta.url));

/** In the order of their private ports. */
export const services = [
  'gateway',
  'auth',
  'sparks',
  'vaults',
  'forge',
  'notify',
  'integrations',
  'reporting',
];

/** The app that runs all services in one process. */
export const allServices = 'all';

/** The built web application, which the gateway serves. */
export const webDist = join(workspace, 'apps/web/dist');

/** Every service but the gateway owns a PostgreSQL role and schema of its name. */
export const statefulServices = services.filter((name) => name !== 'gateway');

/** Services whose accounts may be spread over several databases. */
export const shardedServices = ['sparks', 'reporting'];

/** Services with keys in the keys database. */
export const servicesWithKeys = ['sparks'];

export type Settings = ReturnType<typeof readSettings>;

const defaultPort = 8080;

const defaultDir = '.local';

/** The highest offset from VAULTSVC_PORT that is in use, with `--clusters` or without. */
const lastOffset = 68;

const options = {
  fresh: { type: 'boolean', default: false },
  watch: { type: 'boolean', default: false },
  one: { type: 'boolean', default: false },
  clusters: { type: 'boolean', default: false },
  'no-install': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/**
 * The folder, ports and mode of this stack.
 * @param args of the command line
 * @throws on an invalid port, an unknown argument, or options that exclude each other
 */
export function readSettings(env: NodeJS.ProcessEnv, args: string[]) {
  const { values } = parseCommandLine({ args, options }, 'npm start -- --help');
  const modes = (['one', 'watch', 'clusters'] as const).filter((mode) => values[mode]);
  if (modes.length > 1)
    throw new UsageError(`${modes.map((mode) => `--${mode}`).join(' and ')} exclude each other.`);
  const port = readPort(env.VAULTSVC_PORT);
  return {
    needsHelp: values.help,
    /** All services in one process. */
    isOne: values.one,
    isFresh: values.fresh,
    isWatching: values.watch,
    mayInstall: !values['no-install'],
    /** The folder of an app's programs, relative to the app. */
    dist: values.watch ? 'dist/dev' : 'dist',
    paths: stackPaths(env),
    ports: portsFrom(port),
    /** The further servers of `--clusters`; undefined where each has one. */
    clusters: values.clusters ? clusterPorts(port) : undefined,
    /** Of accounts. */
    shard: 0,
  };
}

/** The settings of the second shard: the same stack with another PostgreSQL. */
export function ofSecondShard(settings: Settings): Settings {
  const { clusters, ports } = settings;
  if (!clusters) throw new Error('one shard alone');
  const { shard: postgres, shardStandby: postgresStandby, sparks, reporting } = clusters;
  return {
    ...settings,
    shard: 1,
    ports: { ...ports, postgres, private: { ...ports.private, sparks, reporting } },
    clusters: { ...clusters, postgresStandby },
  };
}

/** The folder of a stack, and the files in it. */
export function stackPaths({ VAULTSVC_DIR: dir }: NodeJS.ProcessEnv) {
  return pathsIn(resolve(workspace, dir || defaultDir));
}

function readPort(text: string | undefined) {
  if (!text) return defaultPort;
  const port = /^\d+$/.test(text) ? Number(text) : 0;
  const highest = 65_535 - lastOffset;
  if (port < 1 || port > highest)
    throw new Error(`VAULTSVC_PORT must be an integer from 1 to ${highest}, not ${JSON.stringify(text)}`);
  return port;
}

function pathsIn(dir: string) {
  return {
    dir,
    logs: join(dir, 'logs'),
    children: join(dir, 'children'),
    lock: join(dir, 'launcher.json'),
    secrets: join(dir, 'secrets.json'),
    account: join(dir, 'account.json'),
    descriptor: join(dir, 'stack.json'),
    postgres: join(dir, 'postgres'),
    redis: join(dir, 'redis'),
    nats: join(dir, 'nats'),
    kms: join(dir, 'kms'),
    identity: join(dir, 'identity'),
    providers: join(dir, 'providers'),
    objects: join(dir, 'objects'),
    auditLog: join(dir, 'audit-log'),
  };
}

function portsFrom(base: number) {
  return {
    gateway: base,
    forge: base + 1,
    links: base + 2,
    files: base + 3,
    identity: base + 4,
    mail: base + 5,
    chat: base + 6,
    crma: base + 7,
    crmb: base + 8,
    postgres: base + 20,
    redis: base + 21,
    nats: base + 22,
    kms: base + 23,
    smtp: base + 24,
    apns: base + 25,
    /** Health and metrics of each service. */
    private: Object.fromEntries(services.map((name, index) => [name, base + 40 + index])),
  };
}

function clusterPorts(base: number) {
  const row = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => base + from + index);
  return {
    /** Health and metrics of the second shard. */
    sparks: base + 48,
    reporting: base + 49,
    postgresStandby: base + 50,
    /** PostgreSQL of the second shard, and its standby. */
    shard: base + 51,
    shardStandby: base + 52,
    /** Besides the first server. */
    nats: row(53, 2),
    natsRoutes: row(55, 3),
    /** Besides the first server. */
    redis: row(58, 5),
    redisBuses: row(63, 6),
  };
}
