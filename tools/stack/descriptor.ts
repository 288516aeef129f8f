import { rmSync } from 'node:fs';
import { localProviders, oidcClient, origins, type AppCredentials } from './environment.ts';
import { kmsInspector } from './kms-callers.ts';
import { writePrivateJson } from './private-files.ts';
import type { Settings } from './settings.ts';
import type { Server } from './servers/server.ts';

/** The first account of a stack. */
export interface StackAccount {
  account_id: string;
  organization_name: string;
  owner_email: string;
  api_key: string;
}

export type StackDescription = ReturnType<typeof describeStack>;

/**
 * The content of `stack.json`, by which tools use a running stack. URLs are origins. Pids follow restarts, and are null
 * while there is no process, because a signal to pid 0 reaches the sender's own process group (kill(2)). PostgreSQL and
 * Redis are entered as users who may see everything; services have users of their own.
 */
export function describeStack(
  { ports, paths }: Settings,
  {
    account,
    postgresUrl,
    natsUrl,
    kmsSecret,
    apps,
    infrastructure,
    services,
  }: {
    account: Partial<StackAccount>;
    postgresUrl: string;
    natsUrl: string;
    kmsSecret: string;
    apps: AppCredentials;
    infrastructure: Server[];
    services: Server[];
  },
) {
  const { CHATAPP_API_ORIGIN, CRMA_API_ORIGIN, CRMB_LOGIN_ORIGIN } = localProviders(ports);
  const { API_ORIGIN, FORGE_ORIGIN, LINK_ORIGIN, FILES_ORIGIN, IDENTITY_ORIGIN } = origins(ports);
  const { kms, identity, mail, providers, ...servers } = Object.fromEntries(
    infrastructure.map((server) => [server.name, server]),
  );
  const pidOf = (server: Server | undefined) => server?.pid || null;
  const pids = (all: Record<string, Server>) =>
    Object.fromEntries(Object.entries(all).map(([name, server]) => [name, { pid: pidOf(server) }]));
  return {
    pid: process.pid,
    api_url: API_ORIGIN,
    forge_url: FORGE_ORIGIN,
    link_url: LINK_ORIGIN,
    files_url: FILES_ORIGIN,
    identity_url: IDENTITY_ORIGIN,
    mail_url: `http://127.0.0.1:${ports.mail}`,
    postgres_url: postgresUrl,
    redis_url: servers.redis?.url,
    nats_url: natsUrl,
    kms_url: kms?.url,
    kms: { pid: pidOf(kms), access_key_id: kmsInspector, secret_access_key: kmsSecret },
    identity: { pid: pidOf(identity) },
    mail: { pid: pidOf(mail) },
    providers: { pid: pidOf(providers) },
    chat_api_url: CHATAPP_API_ORIGIN,
    crma_api_url: CRMA_API_ORIGIN,
    crmb_api_url: CRMB_LOGIN_ORIGIN,
    integrations: describeApps(apps),
    oidc: oidcClient(ports, process.env),
    objects_dir: paths.objects,
    account,
    services: Object.fromEntries(
      services.map((server) => [server.name, { pid: pidOf(server), private_url: server.url }]),
    ),
    infrastructure: pids(servers) as Record<'postgres' | 'redis' | 'nats', { pid: number | null }>,
  };
}

/** The apps at the emulated providers, for tools that sign requests as a provider does. */
function describeApps(apps: AppCredentials) {
  return {
    chatapp: { client_id: apps.CHATAPP_CLIENT_ID, signing_secret: apps.CHATAPP_SIGNING_SECRET },
    crma: { client_id: apps.CRMA_CLIENT_ID, client_secret: apps.CRMA_CLIENT_SECRET },
    crmb: {
      client_id: apps.CRMB_CLIENT_ID,
      client_secret: apps.CRMB_CLIENT_SECRET,
      session_secret: apps.CRMB_SESSION_SECRET,
    },
  };
}

export function writeDescriptor({ descriptor }: Settings['paths'], description: StackDescription) {
  writePrivateJson(descriptor, description);
}

export function removeDescriptor({ descriptor }: Settings['paths']) {
  rmSync(descriptor, { force: true });
}
