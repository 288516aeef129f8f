import { rmSync } from 'node:fs';
import { localProviders, oidcClient, origins } from './environment.mjs';
import { kmsInspector } from './kms-callers.mjs';
import { writePrivateJson } from './private-files.mjs';

/** @typedef {import('./settings.mjs').Settings} Settings */
/** @typedef {import('./servers/server.mjs').Server} Server */

/**
 * The content of `stack.json`, by which tools use a running stack. URLs are origins. Pids follow restarts, and are null
 * while there is no process, because a signal to pid 0 reaches the sender's own process group (kill(2)). PostgreSQL and
 * Redis are entered as users who may see everything; services have users of their own.
 * @param {Settings} settings
 * @param {{ account: object, postgresUrl: string, natsUrl: string, kmsSecret: string, apps: ReturnType<typeof import('./environment.mjs').appCredentials>, infrastructure: Server[], services: Server[] }} stack
 */
export function describeStack(
  { ports, paths },
  { account, postgresUrl, natsUrl, kmsSecret, apps, infrastructure, services },
) {
  const { CHATAPP_API_ORIGIN, CRMA_API_ORIGIN, CRMB_LOGIN_ORIGIN } = localProviders(ports);
  const { API_ORIGIN, FORGE_ORIGIN, LINK_ORIGIN, FILES_ORIGIN, IDENTITY_ORIGIN } = origins(ports);
  const { kms, identity, mail, providers, ...servers } = Object.fromEntries(
    infrastructure.map((server) => [server.name, server]),
  );
  const pidOf = (/** @type {Server | undefined} */ server) => server?.pid || null;
  const pids = (/** @type {Record<string, Server>} */ all) =>
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
    infrastructure: pids(servers),
  };
}

/**
 * The apps at the emulated providers, for tools that sign requests as a provider does.
 * @param {ReturnType<typeof import('./environment.mjs').appCredentials>} apps
 */
function describeApps(apps) {
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

/**
 * @param {Settings['paths']} paths
 * @param {ReturnType<typeof describeStack>} description
 */
export function writeDescriptor({ descriptor }, description) {
  writePrivateJson(descriptor, description);
}

/** @param {Settings['paths']} paths */
export function removeDescriptor({ descriptor }) {
  rmSync(descriptor, { force: true });
}
