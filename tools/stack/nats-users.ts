import { readTopology } from '../provision/topology.ts';
import type { Secrets } from './secrets.ts';
import type { Settings } from './settings.ts';

const inspector = 'inspector';

/** NATS with the user for tools such as the `nats` CLI, which may publish and subscribe everywhere. */
export function natsUrlOf({ ports }: Pick<Settings, 'ports'>, { nats_password: password }: Secrets) {
  return `nats://${inspector}:${password}@127.0.0.1:${ports.nats}`;
}

/** `SHARDS=1 ACCOUNT_SHARDS=1 npm start -- --fresh` has accounts of shard 1 alone. */
const localShards = [0, 1];

/** The services with the permissions of a deployment, the inspector and an administrator. */
export function natsUsers({ keys, nats_password: password, nats_administrator: { publicKey } }: Secrets) {
  return {
    topology: readTopology(),
    keys: { ...keys, shards: localShards },
    others: [{ user: inspector, password }, { nkey: publicKey }],
  };
}
