import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clusterPorts, lastOffset, readFirstPort, stackPorts } from './stack-ports.ts';
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

const defaultDir = '.local';

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
  const port = readFirstPort(env.VAULTSVC_PORT, values.clusters ? lastOffset.clusters : lastOffset.single);
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
    ports: stackPorts(port, services),
    /** The ports of the servers that `--clusters` adds; undefined without it. */
    clusters: values.clusters ? clusterPorts(port) : undefined,
    /** The number of the shard of accounts. */
    shard: 0,
  };
}

/** The folder of a stack, and the files in it. */
export function stackPaths({ VAULTSVC_DIR: dir }: NodeJS.ProcessEnv) {
  return pathsIn(resolve(workspace, dir || defaultDir));
}

function pathsIn(dir: string) {
  return {
    dir,
    logs: join(dir, 'logs'),
    children: join(dir, 'children'),
    lock: join(dir, 'launcher.json'),
    secrets: join(dir, 'secrets.json'),
    mode: join(dir, 'mode.json'),
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
