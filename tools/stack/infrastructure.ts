import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readTopology } from '../provision/topology.ts';
import { appCredentials, oidcClient, origins } from './environment.ts';
import { callersWith } from './kms-callers.ts';
import type { Secrets } from './secrets.ts';
import type { Binaries } from './servers/binaries.ts';
import { identityPlan } from './servers/identity.ts';
import { kmsPlan } from './servers/kms.ts';
import { mailPlan } from './servers/mail.ts';
import { providersPlan } from './servers/providers.ts';
import { natsPlan } from './servers/nats.ts';
import { createCluster, postgresPlan } from './servers/postgres.ts';
import { redisPlan } from './servers/redis.ts';
import { Server } from './servers/server.ts';
import type { Settings } from './settings.ts';

/** PostgreSQL's user cannot access root's private folders, so root's stacks keep its data here, one folder per stack. */
const rootPostgresHome = '/var/lib/vaultsvc-local';

/** @returns the data folder of PostgreSQL */
function postgresDir(paths: Settings['paths']): string {
  if (process.getuid?.() !== 0) return paths.postgres;
  return join(rootPostgresHome, createHash('sha256').update(paths.dir).digest('hex').slice(0, 16));
}

/** When run as root, makes `.local/postgres` a link to the data. Data without a link belongs to a deleted stack. */
function linkPostgresDir(paths: Settings['paths']) {
  const dataDir = postgresDir(paths);
  if (dataDir === paths.postgres || lstatSync(paths.postgres, { throwIfNoEntry: false })) return dataDir;
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(rootPostgresHome, { recursive: true, mode: 0o755 });
  symlinkSync(dataDir, paths.postgres);
  return dataDir;
}

/** Deletes all data of this stack. */
export function removeData(paths: Settings['paths']) {
  const { dir, logs, children, lock, ...stored } = paths;
  for (const path of [postgresDir(paths), ...Object.values(stored)])
    rmSync(path, { recursive: true, force: true });
}

/**
 * The client that the identity provider accepts. A redirect URI given to the launcher is added to the local one, so that
 * a front end in development can use this provider.
 */
function identityClient(ports: Settings['ports']) {
  const { issuer: trusted, client_id: clientId, redirect_uri: redirectUri } = oidcClient(ports, process.env);
  return { apiOrigin: origins(ports).API_ORIGIN, trusted, clientId, redirectUri };
}

/** NATS with the user for tools such as the `nats` CLI, which may publish and subscribe everywhere. */
export function natsUrlOf({ ports }: Settings, { nats_password: password }: Secrets) {
  return `nats://${inspector}:${password}@127.0.0.1:${ports.nats}`;
}

const inspector = 'inspector';

/** `SHARDS=1 ACCOUNT_SHARDS=1 npm start -- --fresh` has accounts of shard 1 alone. */
const localShards = [0, 1];

function natsUsers({ keys, nats_password: password, nats_administrator: { publicKey } }: Secrets) {
  return {
    topology: readTopology(),
    keys: { ...keys, shards: localShards },
    others: [{ user: inspector, password }, { nkey: publicKey }],
  };
}

/** The servers that the services need, not yet started. */
export async function prepareInfrastructure(
  { paths, ports }: Settings,
  secrets: Secrets,
  binaries: Binaries,
) {
  const place = (name: 'postgres' | 'redis' | 'nats' | 'kms' | 'identity' | 'mail') => ({
    port: ports[name],
    logPath: join(paths.logs, `${name}.log`),
    childrenDir: paths.children,
  });
  const common = (name: 'postgres' | 'redis' | 'nats' | 'kms' | 'identity') => ({
    ...place(name),
    binaries,
    dataDir: name === 'postgres' ? linkPostgresDir(paths) : paths[name],
    isDurable: true,
  });
  const postgres = { ...common('postgres'), password: secrets.postgres_password };
  // The stored account belonged to an earlier database.
  if (await createCluster(postgres)) rmSync(paths.account, { force: true });
  return [
    postgresPlan(postgres),
    redisPlan({ ...common('redis'), passwords: secrets.redis_passwords }),
    natsPlan({ ...common('nats'), users: natsUsers(secrets) }),
    kmsPlan({ ...common('kms'), callers: callersWith(secrets.kms_secrets) }),
    identityPlan({ ...common('identity'), ...identityClient(ports) }),
    mailPlan({ ...place('mail'), smtpPort: ports.smtp, apnsPort: ports.apns }),
    providersPlan({
      dataDir: paths.providers,
      ports: { chat: ports.chat, crma: ports.crma, crmb: ports.crmb },
      env: { ...appCredentials(secrets), API_ORIGIN: origins(ports).API_ORIGIN },
      logPath: join(paths.logs, 'providers.log'),
      childrenDir: paths.children,
    }),
  ].map((plan) => new Server(plan));
}
