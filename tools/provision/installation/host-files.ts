import { join } from 'node:path';
import { natsPings, type NatsRelease } from '../nats-config.ts';
import { hostPorts } from './places.ts';
import type { Files, ServerName } from './servers.ts';

/** Where things are on one machine, and the release of its NATS. */
export interface HostOptions {
  /** The folder of the installation. */
  readonly folder: string;
  /** The domain below which the names of the API, of Forge and of links are. */
  readonly domain: string;
  readonly natsRelease: NatsRelease;
}

/** The configuration of each server, which takes its certificate and its users from the same folder. */
export function hostConfigurations({ folder, natsRelease }: HostOptions): Partial<Record<ServerName, Files>> {
  const of = (server: ServerName) => (name: string) => join(folder, server, name);
  return {
    postgres: { 'postgresql.conf': postgresql(of('postgres')) },
    redis: { 'redis.conf': redis(of('redis')) },
    nats: { 'nats.conf': nats(of('nats'), natsRelease) },
  };
}

type PathOf = (name: string) => string;

const postgresql = (path: PathOf) => `data_directory = '${path('data')}'
hba_file = '${path('pg_hba.conf')}'
listen_addresses = '127.0.0.1'
port = ${hostPorts.postgres}
unix_socket_directories = '${path('')}'
max_connections = 200
ssl = on
ssl_cert_file = '${path('server.crt')}'
ssl_key_file = '${path('server.key')}'
wal_compression = on
`;

const redis = (path: PathOf) => `bind 127.0.0.1
port 0
tls-port ${hostPorts.redis}
tls-cert-file ${path('server.crt')}
tls-key-file ${path('server.key')}
tls-ca-cert-file ${path('ca.crt')}
tls-auth-clients no
aclfile ${path('users.acl')}
dir ${path('data')}
appendonly yes
maxmemory-policy noeviction
`;

const nats = (path: PathOf, release: NatsRelease) => `server_name: vaultsvc
listen: "127.0.0.1:${hostPorts.nats}"
max_payload: 16MB
${natsPings}tls {
  cert_file: "${path('server.crt')}"
  key_file: "${path('server.key')}"
}
jetstream {
  store_dir: "${path('data')}"
${release === '2.10' ? '  sync_interval: always\n' : ''}}
include "nats-users.conf"
`;

/**
 * The settings of the process `all`, in the form of systemd's EnvironmentFile. Secrets are the names of their files.
 * @param secrets names of the secret settings, by service
 */
export function allSettings(
  { folder, domain }: HostOptions,
  secrets: Readonly<Record<string, readonly string[]>>,
): string {
  const at = (...path: string[]) => join(folder, ...path);
  return linesOf([
    ...trusting(at('gateway', 'ca.crt')),
    ['MALLOC_ARENA_MAX', '2'], // each arena of the allocator keeps what it has freed
    ['NATS_URL', `tls://localhost:${hostPorts.nats}`],
    ['API_ORIGIN', `https://api.${domain}`],
    ['FORGE_ORIGIN', `https://forge.${domain}`],
    ['LINK_ORIGIN', `https://link.${domain}`],
    ['FILES_ORIGIN', `https://files.${domain}`],
    ['AUDIT_LOG_ORIGIN', `api.${domain}/v1/audit-logs/log`],
    ['TRUSTED_PROXIES', '127.0.0.1'],
    // API keys work without an identity provider; sessions of people need one.
    ['OIDC_ISSUER', 'https://login.example.com'],
    ['OIDC_CLIENT_ID', 'vaultsvc'],
    ['OIDC_REDIRECT_URI', `https://app.${domain}/sign-in`],
    ['KMS_PROVIDER', 'file'],
    ['KMS_KEY_ID', 'vk-root'],
    ['VAULTS_KMS_KEY_ID', 'vk-system'],
    ['KMS_KEYS_FILE', at('kms', 'keys.json')],
    ['KMS_PASSPHRASE_FILE', at('kms', 'passphrase')],
    ['FORGE_OBJECTS_DIR', at('objects', 'files')],
    ['REPORTING_OBJECTS_DIR', at('objects', 'audit-log')],
    ...filesOf(secrets, (service) => at(service)),
  ]);
}

/** The settings of `all migrate`: the role that owns the tables of each service, and no key. */
export function ownerSettingsOfAll({ folder }: HostOptions, services: readonly string[]): string {
  const owner = (service: string) => join(folder, `${service}-owner`);
  const secrets = Object.fromEntries(services.map((service) => [service, ['DATABASE_URL']]));
  return linesOf([...trusting(join(owner('auth'), 'ca.crt')), ...filesOf(secrets, owner)]);
}

type Line = readonly [name: string, value: string];

const trusting = (authority: string): Line[] => [
  ['PROFILE', 'production'],
  ['NODE_ENV', 'production'],
  ['NODE_EXTRA_CA_CERTS', authority],
];

function filesOf(
  secrets: Readonly<Record<string, readonly string[]>>,
  folderOf: (service: string) => string,
): Line[] {
  return Object.entries(secrets).flatMap(([service, names]) =>
    names.map((name): Line => [`${service.toUpperCase()}_${name}_FILE`, join(folderOf(service), name)]),
  );
}

const linesOf = (lines: readonly Line[]) => lines.map(([name, value]) => `${name}=${value}\n`).join('');
