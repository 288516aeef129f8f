import type { ServiceConfig } from '@vaultsvc/config';
import { StatefulConfig } from '@vaultsvc/config';
import { topologyOf } from '@vaultsvc/contracts/catalog';
import { connectNats, describeServer, keysMissing, streamOf } from '@vaultsvc/messaging';
import type { Check } from './check.js';

/** Every service: a topology has edges between all of them. */
const services = ['gateway', 'auth', 'sparks', 'vaults', 'forge', 'notify', 'integrations', 'reporting'];

/** NATS with its stream, and the keys of the messages that a service sends and receives. */
export function messagingChecks(service: string, config: ServiceConfig): Check[] {
  return [
    {
      name: 'nats',
      advice:
        'See NATS_URL, NODE_EXTRA_CA_CERTS for the certificate of the server, NATS_NKEY_SEED, and nats.conf of npm run provision.',
      run: async () => {
        const connection = await connectNats(config, service);
        try {
          return await describeServer(connection, ownStreamOf(config, service));
        } finally {
          await connection.close();
        }
      },
    },
    {
      name: 'message keys',
      advice: 'Run npm run provision of this release again, and give the service its file of settings.',
      run: async () => {
        const eventKeys = config instanceof StatefulConfig ? config.EVENT_KEYS : new Map();
        const missing = keysMissing(topologyOf(services), service, config.CALL_KEYS.reveal(), eventKeys);
        if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}`);
        return 'a key for each service that this one calls, serves or hears';
      },
    },
  ];
}

/** The stream with the events of a service; undefined for one that has none. */
function ownStreamOf(config: ServiceConfig, service: string) {
  if (!(config instanceof StatefulConfig)) return undefined;
  return streamOf(service, config.EVENT_STREAMS, config.NATS_STREAM_REPLICAS);
}
