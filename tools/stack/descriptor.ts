import { rmSync } from 'node:fs';
import { localProviders, oidcClient, origins, type AppCredentials } from './environment.ts';
import { kmsInspector } from './kms-callers.ts';
import { writePrivateJson } from './private-files.ts';
import { allServices, services, type Settings } from './settings.ts';
import type { Server } from './servers/server.ts';

/** The first account of a stack. */
export interface StackAccount {
  account_id: string;
  organization_name: string;
  owner_email: string;
  api_key: string;
}

/** What a stack consists of once it is ready. */
export interface StackParts {
  account: Partial<StackAccount>;
  postgresUrl: string;
  /** The URL of the second shard of accounts; undefined without `--clusters`. */
  postgresShardUrl?: string | undefined;
  natsUrl: string;
  kmsSecret: string;
  apps: AppCredentials;
  infrastructure: Server[];
  services: Server[];
}

export type StackDescription = ReturnType<typeof describeStack>;

/**
 * The content of `stack.json`, by which tools use a running stack. URLs are origins. Pids follow restarts, and are null
 * while there is no process, because a signal to pid 0 reaches the sender's own process group (kill(2)). PostgreSQL and
 * Redis are entered as users who may see everything; services have users of their own.
 */
export function describeStack({ ports, paths }: Settings, stack: StackParts) {
  return {
    pid: process.pid,
    ...describeOrigins(ports),
    postgres_url: stack.postgresUrl,
    postgres_shard_url: stack.postgresShardUrl,
    nats_url: stack.natsUrl,
    ...describeInfrastructure(stack),
    integrations: describeApps(stack.apps),
    oidc: oidcClient(ports, process.env),
    objects_dir: paths.objects,
    account: stack.account,
    services: describeServices(stack.services),
  };
}

/** Each service by its name, also where one process runs all of them. */
function describeServices(servers: readonly Server[]) {
  const entries = servers.flatMap((server) => {
    const names = server.name === allServices ? services : [server.name];
    return names.map((name) => [name, { ...pidOf(server), private_url: server.url }] as const);
  });
  return Object.fromEntries(entries);
}

/** The origins of the services, and of the programs that stand in for those of others. */
function describeOrigins(ports: Settings['ports']) {
  const { API_ORIGIN, FORGE_ORIGIN, LINK_ORIGIN, FILES_ORIGIN, IDENTITY_ORIGIN } = origins(ports);
  const { CHATAPP_API_ORIGIN, CRMA_API_ORIGIN, CRMB_LOGIN_ORIGIN } = localProviders(ports);
  return {
    api_url: API_ORIGIN,
    forge_url: FORGE_ORIGIN,
    link_url: LINK_ORIGIN,
    files_url: FILES_ORIGIN,
    identity_url: IDENTITY_ORIGIN,
    mail_url: `http://127.0.0.1:${ports.mail}`,
    chat_api_url: CHATAPP_API_ORIGIN,
    crma_api_url: CRMA_API_ORIGIN,
    crmb_api_url: CRMB_LOGIN_ORIGIN,
  };
}

function describeInfrastructure({
  infrastructure,
  kmsSecret,
}: Pick<StackParts, 'infrastructure' | 'kmsSecret'>) {
  const { kms, identity, mail, providers, ...servers } = Object.fromEntries(
    infrastructure.map((server) => [server.name, server]),
  );
  return {
    redis_url: servers.redis?.url,
    kms_url: kms?.url,
    kms: { ...pidOf(kms), access_key_id: kmsInspector, secret_access_key: kmsSecret },
    identity: pidOf(identity),
    mail: pidOf(mail),
    providers: pidOf(providers),
    infrastructure: Object.fromEntries(
      Object.entries(servers).map(([name, server]) => [name, pidOf(server)]),
    ) as Record<'postgres' | 'redis' | 'nats', { pid: number | null }>,
  };
}

function pidOf(server: Server | undefined) {
  return { pid: server?.pid || null };
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
