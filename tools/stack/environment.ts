import { serviceGrants } from '../kms/grants.ts';
import { keySettings } from '../provision/keys.ts';
import { readTopology } from '../provision/topology.ts';
import { clusterDefaults, clusterSettings, databaseUrl, natsUrls } from './cluster-settings.ts';
import type { Secrets } from './secrets.ts';
import { redisAccess } from './servers/redis-access.ts';
import { redisUrl } from './servers/redis.ts';
import { ownerOf } from './servers/schema.ts';
import { services, webDist, type Settings } from './settings.ts';

/** Variables of npm, Node and test runners, which services do not receive. */
const launcherOnly = /^(npm_|NODE_OPTIONS$|JEST_|INIT_CWD$)/;

const poolBytes = 64 * 2 ** 40;

/**
 * The whole environment of a service. Settings given to the launcher override the local defaults, but not the addresses
 * of the stack's own servers.
 * @param given to the launcher
 */
export function serviceEnvironment(
  name: string,
  settings: Settings,
  secrets: Secrets,
  given: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const passed = Object.fromEntries(
    Object.entries(given).filter(([key, value]) => value !== '' && !launcherOnly.test(key)),
  );
  return {
    ...defaults(name, settings, secrets, given),
    ...passed,
    ...fixedSettings(name, settings, secrets),
  };
}

/**
 * The environment of the process of all services: what is equal for all of them without a prefix, the rest with the name of its service
 * as one.
 */
export function environmentOfAll(
  _name: string,
  settings: Settings,
  secrets: Secrets,
  given: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const own = services.map((name) => [name, serviceEnvironment(name, settings, secrets, given)] as const);
  const names = new Set(own.flatMap(([, environment]) => Object.keys(environment)));
  names.delete('PRIVATE_PORT');
  const entries = [...names].flatMap((name): (readonly [string, string | undefined])[] => {
    const values = new Set(own.map(([, environment]) => environment[name]));
    if (values.size === 1) return [[name, [...values][0]]];
    return own
      .filter(([, environment]) => environment[name] !== undefined)
      .map(([service, environment]) => [`${service.toUpperCase()}_${name}`, environment[name]]);
  });
  return { ...Object.fromEntries(entries), PRIVATE_PORT: String(settings.ports.private['gateway']) };
}

/** Links have a host name: browsers have no passkeys for IP addresses (OPEN-64). */
export function origins(ports: Settings['ports']) {
  const at = (port: number) => `http://127.0.0.1:${port}`;
  return {
    API_ORIGIN: at(ports.gateway),
    FORGE_ORIGIN: at(ports.forge),
    LINK_ORIGIN: `http://localhost:${ports.links}`,
    FILES_ORIGIN: at(ports.files),
    IDENTITY_ORIGIN: at(ports.identity),
  };
}

function defaults(name: string, settings: Settings, secrets: Secrets, given: NodeJS.ProcessEnv) {
  const { ports } = settings;
  return {
    ...clusterDefaults(name, settings),
    ...origins(ports),
    CORS_ORIGINS: origins(ports).IDENTITY_ORIGIN,
    ...localClient(ports),
    KMS_REGION: 'us-east-1',
    REQUIRE_HTTPS: 'false',
    LOG_LEVEL: 'info',
    SHUTDOWN_DELAY_MS: '0',
    OLDEST_RELEASE: '0.2',
    STORAGE_POOL_BYTES: String(poolBytes),
    BANDWIDTH_POOL_BYTES: String(poolBytes),
    IDENTITY_POOL_SEATS: '1000',
    // All local clients share one IP address, so its limit is at least the limit of one account.
    RATE_LIMIT_PER_IP_PER_MINUTE: String(Math.max(600, Number(given.RATE_LIMIT_PER_MINUTE) || 0)),
    ...keySettings(readTopology(), secrets.keys, name),
    ...keysOf(name, secrets),
    AUDIT_LOG_ORIGIN: `127.0.0.1:${ports.gateway}/v1/audit-logs/log`,
    AUDIT_LOG_EVERY_SECONDS: '10',
    ...(name === 'notify' && { ...localMessages(ports), ...localPush(ports, secrets.push) }),
    ...(name === 'gateway' && { ...frameOrigins(ports), WEB_FOLDER: webDist }),
    ...(name === 'integrations' && { ...localProviders(ports), ...appCredentials(secrets) }),
  };
}

/**
 * The keys that only some services hold: cursors are signed and verified by the gateway, records in Redis by the services
 * that write and read them.
 */
function keysOf(name: string, { CURSOR_KEY, CREDENTIAL_RECORD_KEY, POOL_SNAPSHOT_KEY }: Secrets) {
  if (name === 'gateway') return { CURSOR_KEY, CREDENTIAL_RECORD_KEY, POOL_SNAPSHOT_KEY };
  if (name === 'auth') return { CREDENTIAL_RECORD_KEY, POOL_SNAPSHOT_KEY };
  return name === 'reporting' ? { POOL_SNAPSHOT_KEY } : {};
}

/** The origins of the emulated providers. */
export function localProviders({ chat, crma, crmb }: Settings['ports']) {
  const at = (port: number) => `http://127.0.0.1:${port}`;
  return {
    CHATAPP_API_ORIGIN: at(chat),
    CRMA_API_ORIGIN: at(crma),
    CRMA_AUTHORIZE_ORIGIN: at(crma),
    CRMB_LOGIN_ORIGIN: at(crmb),
  };
}

/** The emulated CRMs show panels in frames of their pages. */
function frameOrigins(ports: Settings['ports']) {
  const { CRMA_API_ORIGIN, CRMB_LOGIN_ORIGIN } = localProviders(ports);
  return { CRMA_FRAME_ORIGINS: CRMA_API_ORIGIN, CRMB_FRAME_ORIGINS: CRMB_LOGIN_ORIGIN };
}

type AppId = 'CHATAPP_CLIENT_ID' | 'CRMA_CLIENT_ID' | 'CRMB_CLIENT_ID';

/** Ids of the apps, and their secrets by the names of their settings. */
export type AppCredentials = Record<AppId, string> & Record<string, string | undefined>;

/** The credentials of the integrations at the emulated providers. */
export function appCredentials({ apps }: Pick<Secrets, 'apps'>): AppCredentials {
  return {
    CHATAPP_CLIENT_ID: 'local-chatapp',
    CRMA_CLIENT_ID: 'local-crma',
    CRMB_CLIENT_ID: 'local-crmb',
    ...apps,
  };
}

function localClient(ports: Settings['ports']) {
  const issuer = origins(ports).IDENTITY_ORIGIN;
  return {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'vaultsvc-local',
    OIDC_REDIRECT_URI: `${issuer}/signin`,
  };
}

/** Messages of all channels are sent to the local inbox; invitations link to the local sign-in page. */
function localMessages(ports: Settings['ports']) {
  return {
    SMTP_URL: `smtp://127.0.0.1:${ports.smtp}`,
    MAIL_FROM: 'vaultsvc <no-reply@localhost.test>',
    MAIL_RATE_PER_SECOND: '200', // the local inbox has no limit
    SIGN_IN_URL: `${origins(ports).API_ORIGIN}/app`,
    SMS_URL: `http://AC${'0'.repeat(32)}:local@127.0.0.1:${ports.mail}`,
    SMS_FROM: '+14155550100', // from a range reserved for fiction
    WHATSAPP_FROM: '+14155550101',
    RCS_FROM: 'rcs:vaultsvc_local',
    VOICE_FROM: '+14155550102',
  };
}

/** Push notifications are sent to the local inbox too. */
function localPush(
  ports: Settings['ports'],
  { fcm_private_key, apns_key, vapid_public_key, vapid_private_key }: Secrets['push'],
) {
  const inbox = `http://127.0.0.1:${ports.mail}`;
  const account = {
    type: 'service_account',
    project_id: 'vaultsvc-local',
    client_email: 'notify@vaultsvc-local.test',
    private_key: fcm_private_key,
    token_uri: `${inbox}/fcm/token`,
  };
  return {
    FCM_URL: inbox,
    FCM_CREDENTIALS: JSON.stringify(account),
    APNS_URL: `http://127.0.0.1:${ports.apns}`,
    APNS_KEY: apns_key,
    APNS_KEY_ID: 'LOCAL00000',
    APNS_TEAM_ID: 'VAULTSVC00',
    APNS_TOPIC: 'test.localhost.vaultsvc',
    VAPID_PUBLIC_KEY: vapid_public_key,
    VAPID_PRIVATE_KEY: vapid_private_key,
    VAPID_SUBJECT: 'mailto:admin@localhost.test',
  };
}

/**
 * The product's client at the identity provider, as configured in the services.
 * @param given to the launcher
 */
export function oidcClient(ports: Settings['ports'], given: NodeJS.ProcessEnv) {
  const local = localClient(ports);
  return {
    issuer: given.OIDC_ISSUER || local.OIDC_ISSUER,
    client_id: given.OIDC_CLIENT_ID || local.OIDC_CLIENT_ID,
    redirect_uri: given.OIDC_REDIRECT_URI || local.OIDC_REDIRECT_URI,
  };
}

function fixedSettings(name: string, settings: Settings, secrets: Secrets) {
  const { ports, paths } = settings;
  const shared = {
    NODE_ENV: 'production',
    PROFILE: 'local',
    PRIVATE_PORT: String(ports.private[name]),
    NATS_URL: natsUrls(settings),
    ...clusterSettings(name, settings),
    REDIS_URL:
      name in redisAccess ? redisUrl(ports.redis, name, secrets.redis_passwords[name] ?? '') : undefined,
    KMS_ENDPOINT: `http://127.0.0.1:${ports.kms}`,
    // Also where there are none: the developer's real ones must not reach a local service.
    AWS_ACCESS_KEY_ID: name in serviceGrants ? name : undefined,
    AWS_SECRET_ACCESS_KEY: name in serviceGrants ? secrets.kms_secrets[name] : undefined,
    AWS_SESSION_TOKEN: undefined,
    AWS_PROFILE: undefined,
  };
  if (name === 'gateway')
    return {
      ...shared,
      ...listening(ports.gateway),
      LINK_PORT: String(ports.links),
      FILES_PORT: String(ports.files),
    };
  const database = {
    DATABASE_URL: databaseUrl(name, secrets.database_passwords[name], settings),
    DATABASE_SCHEMA: name,
  };
  if (name === 'forge')
    return { ...shared, ...database, ...listening(ports.forge), OBJECTS_DIR: paths.objects };
  return name === 'reporting'
    ? // Nobody pays here: the tests and samples of the stack buy plans.
      { ...shared, ...database, OBJECTS_DIR: paths.auditLog, BILLING_MANUAL_TRUSTS_TENANTS: 'true' }
    : { ...shared, ...database };
}

/**
 * The environment of a service's migrations, which run as the owner of its tables.
 * @param given to the launcher
 */
export function migrationEnvironment(
  name: string,
  settings: Settings,
  secrets: Secrets,
  given: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const url = databaseUrl(ownerOf(name), secrets.database_owner_passwords[name], settings);
  return { ...serviceEnvironment(name, settings, secrets, given), DATABASE_URL: url };
}

function listening(port: number) {
  return { HTTP_PORT: String(port), HTTP_HOST: '127.0.0.1' };
}
