import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { clusterPlans, isClustered } from './cluster-servers.ts';
import { appCredentials, oidcClient, origins } from './environment.ts';
import { callersWith } from './kms-callers.ts';
import { natsUsers } from './nats-users.ts';
import { linkPostgresDir, postgresDirs, removeStandby } from './postgres-folders.ts';
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
import { recordMode } from './stack-mode.ts';

/** Deletes all data of this stack. */
export function removeData(paths: Settings['paths']) {
  const { dir, logs, children, lock, ...stored } = paths;
  for (const path of [...postgresDirs(paths), ...Object.values(stored)])
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

/** The servers that the services need, not yet started. */
export async function prepareInfrastructure(settings: Settings, secrets: Secrets, binaries: Binaries) {
  const { paths, ports } = settings;
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
  recordMode(settings);
  if (await createCluster(postgres)) {
    // Both belonged to an earlier database.
    rmSync(paths.account, { force: true });
    removeStandby(paths, 'standby');
  }
  const shared = isClustered(settings)
    ? await clusterPlans(settings, secrets, binaries)
    : [
        redisPlan({ ...common('redis'), passwords: secrets.redis_passwords }),
        natsPlan({ ...common('nats'), users: natsUsers(secrets) }),
      ];
  return [
    postgresPlan(postgres),
    ...shared,
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
