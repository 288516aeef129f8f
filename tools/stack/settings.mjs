import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** Every service but the gateway owns a PostgreSQL role and schema of its name. */
export const statefulServices = services.filter((name) => name !== 'gateway');

/** Services with keys in the keys database. */
export const servicesWithKeys = ['sparks'];

/** @typedef {ReturnType<typeof readSettings>} Settings */

const defaultPort = 8080;

/** The highest offset from VAULTSVC_PORT that is in use. */
const lastOffset = 40 + services.length - 1;

/**
 * The folder, ports and mode of this stack.
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} args of the command line
 * @throws on an invalid port or an unknown argument
 */
export function readSettings(env, args) {
  const unknown = args.find((arg) => !['--fresh', '--watch', '--no-install'].includes(arg));
  if (unknown)
    throw new Error(
      `Unknown argument ${unknown}. Known: --fresh (delete the data first), --watch (rebuild and restart on edits), --no-install (list what is missing instead of installing it)`,
    );
  return {
    isFresh: args.includes('--fresh'),
    isWatching: args.includes('--watch'),
    mayInstall: !args.includes('--no-install'),
    /** The folder of an app's programs, relative to the app. */
    dist: args.includes('--watch') ? 'dist/dev' : 'dist',
    paths: pathsIn(resolve(workspace, env.VAULTSVC_DIR || '.local')),
    ports: portsFrom(readPort(env.VAULTSVC_PORT)),
  };
}

/** @param {string | undefined} text */
function readPort(text) {
  if (!text) return defaultPort;
  const port = /^\d+$/.test(text) ? Number(text) : 0;
  const highest = 65_535 - lastOffset;
  if (port < 1 || port > highest)
    throw new Error(`VAULTSVC_PORT must be an integer from 1 to ${highest}, not ${JSON.stringify(text)}`);
  return port;
}

/** @param {string} dir */
function pathsIn(dir) {
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

/** @param {number} base */
function portsFrom(base) {
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
