import type { InstallationSecrets } from './secrets.ts';
import { localAccessFile } from '../../stack/servers/redis-access.ts';
import { natsAuthorization } from '../nats-users.ts';
import type { Topology } from '../topology.ts';
import { postgresScript } from './postgres-roles.ts';
import { buckets, statefulServices } from './services.ts';

/** Files of one server, by name. */
export type Files = Readonly<Record<string, string>>;

/** A server of the installation. */
export type ServerName = 'postgres' | 'redis' | 'nats' | 'objects' | 'mail';

/** What each server reads besides its certificate. */
export async function serverFiles(
  topology: Topology,
  secrets: InstallationSecrets,
): Promise<Record<ServerName, Files>> {
  return {
    postgres: {
      password: secrets.postgres['postgres'] ?? '',
      'pg_hba.conf': encryptedClients,
      'roles.sql': await postgresScript(statefulServices(topology), secrets.postgres),
    },
    redis: { 'users.acl': localAccessFile(secrets.redis) },
    nats: { 'nats.conf': natsConfiguration, 'nats-users.conf': natsAuthorization(topology, secrets.keys) },
    objects: { 's3.json': `${JSON.stringify({ identities: identitiesOf(secrets) }, null, 2)}\n` },
    mail: {},
  };
}

/** The image initializes and probes PostgreSQL by its socket; everybody else needs TLS and a password. */
const encryptedClients = 'local all postgres trust\nhostssl all all all scram-sha-256\n';

/** For NATS 2.10.23 or later: each message is on the disk before it is acknowledged. */
const natsConfiguration = `server_name: vaultsvc
port: 4222
http: "127.0.0.1:8222"
max_payload: 16MB
tls {
  cert_file: "/run/vaultsvc/server.crt"
  key_file: "/run/vaultsvc/server.key"
}
jetstream {
  store_dir: "/data"
  max_file_store: 10GB
  sync_interval: always
}
include "nats-users.conf"
`;

/** Each service reads and writes its own bucket, and nothing else (SeaweedFS). */
function identitiesOf({ objects }: InstallationSecrets) {
  return Object.entries(buckets).map(([service, bucket]) => ({
    name: service,
    credentials: [{ accessKey: service, secretKey: objects[service] }],
    actions: ['Read', 'Write', 'List'].map((action) => `${action}:${bucket}`),
  }));
}
