import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Keys } from '../../provision/keys.ts';
import type { Binaries } from './binaries.ts';
import { natsPings } from '../../provision/nats-config.ts';
import { natsAuthorization } from '../../provision/nats-users.ts';
import { probeNats } from './probes.ts';
import type { Topology } from '../../provision/topology.ts';
import type { ServerPlan } from './server.ts';

export interface NatsUsers {
  /** Of the services. */
  topology: Topology;
  keys: Keys;
  /** Users besides the services, without limits, in the form of NATS's configuration. */
  others: object[];
}

/** The place of a server in a cluster. */
export interface NatsClusterPlace {
  /** Unique in the cluster. */
  name: string;
  /** On which it listens for the other servers. */
  port: number;
  /** The ports of all servers. */
  routes: readonly number[];
}

/** A private NATS with JetStream on the loopback address. Each service has the NKey and the permissions of a deployment. */
export function natsPlan({
  binaries,
  dataDir,
  port,
  logPath,
  childrenDir,
  users,
  findsFrozen = true,
  cluster,
}: {
  users: NatsUsers;
  cluster?: NatsClusterPlace;
  /** Whether it drops silent clients as soon as a deployment does. */
  findsFrozen?: boolean;
  binaries: Binaries;
  dataDir: string;
  port: number;
  logPath: string;
  childrenDir: string;
}): ServerPlan {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const configPath = join(dataDir, 'nats.conf');
  const { topology, keys, others } = users;
  // A machine that also runs all services or all tests may keep a client waiting for longer than the usual 2 s.
  const text =
    configuration(port, join(dataDir, 'jetstream')) +
    (cluster ? clusterConfiguration(cluster) : '') +
    (findsFrozen ? natsPings : '') +
    natsAuthorization(topology, keys, { others, timeoutSeconds: 20 });
  writeFileSync(configPath, text, { mode: 0o600 });
  return {
    name: cluster?.name ?? 'nats',
    url: `nats://127.0.0.1:${port}`,
    command: binaries.natsServer,
    args: ['-c', configPath],
    stopSignal: 'SIGTERM',
    probe: () => probeNats(port),
    logPath,
    childrenDir,
  };
}

/**
 * `max_payload`: a valid reply with structured data exceeds the default of 1 MiB. No `sync_interval`, which server 2.9
 * rejects.
 */
function configuration(port: number, storeDir: string) {
  return `host: "127.0.0.1"
port: ${port}
max_payload: 16MB
jetstream {
  store_dir: ${JSON.stringify(storeDir)}
  max_memory_store: 64MB
  max_file_store: 10GB
}
`;
}

function clusterConfiguration({ name, port, routes }: NatsClusterPlace) {
  const urls = routes.map((route) => `"nats-route://127.0.0.1:${route}"`);
  return `server_name: "${name}"
cluster {
  name: "local"
  host: "127.0.0.1"
  port: ${port}
  routes: [${urls.join()}]
}
`;
}
