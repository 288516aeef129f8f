import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { natsAuthorization } from '../../provision/nats-users.mjs';
import { probeNats } from './probes.mjs';

/**
 * @typedef {object} NatsUsers
 * @property {import('../../provision/topology.mjs').Topology} topology of the services
 * @property {import('../../provision/keys.mjs').Keys} keys
 * @property {object[]} others users besides the services, without limits, in the form of NATS's configuration
 */

/**
 * A private NATS with JetStream on the loopback address. Each service has the NKey and the permissions of a deployment.
 * @param {object} options
 * @param {NatsUsers} options.users
 * @param {import('./binaries.mjs').Binaries} options.binaries
 * @param {string} options.dataDir
 * @param {number} options.port
 * @param {string} options.logPath
 * @param {string} options.childrenDir
 * @returns {import('./server.mjs').ServerPlan}
 */
export function natsPlan({ binaries, dataDir, port, logPath, childrenDir, users }) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const configPath = join(dataDir, 'nats.conf');
  const { topology, keys, others } = users;
  const text = configuration(port, join(dataDir, 'jetstream')) + natsAuthorization(topology, keys, others);
  writeFileSync(configPath, text, { mode: 0o600 });
  return {
    name: 'nats',
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
 * @param {number} port
 * @param {string} storeDir
 */
function configuration(port, storeDir) {
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
