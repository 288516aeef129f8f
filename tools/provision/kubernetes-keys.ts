import { completeKeys, keySettings, newKey, type Keys } from './keys.ts';
import type { KubernetesSecrets } from './kubernetes-secrets.ts';
import { natsAuthorization } from './nats-users.ts';
import type { Topology } from './topology.ts';

/** Keys that several instances or services have, and the services that read them. */
const sharedKeys: Readonly<Record<string, readonly string[]>> = {
  CURSOR_KEY: ['gateway'],
  CREDENTIAL_RECORD_KEY: ['gateway', 'auth'],
  POOL_SNAPSHOT_KEY: ['gateway', 'auth', 'reporting'],
};

type SharedKeys = Record<string, string>;

/**
 * Makes the Secrets of an installation: `NAME-SERVICE-keys` with the settings of a service, `NAME-nats` with the users of NATS, and
 * `NAME-provision` with all keys, from which the next run begins. Existing keys stay; those that a new release needs are added.
 * @returns the names of the Secrets
 * @throws when the API refuses
 */
export async function provisionCluster(
  secrets: KubernetesSecrets,
  topology: Topology,
  name: string,
): Promise<string[]> {
  const kept = await secrets.read(`${name}-provision`);
  const keys = completeKeys(topology, kept && (JSON.parse(kept['keys.json'] ?? '') as Keys));
  const shared = completeShared(kept && (JSON.parse(kept['shared.json'] ?? '') as SharedKeys));
  const made = new Map<string, Record<string, string>>([
    // The first one: a run that is interrupted afterwards goes on with the same keys.
    [`${name}-provision`, { 'keys.json': JSON.stringify(keys), 'shared.json': JSON.stringify(shared) }],
    [`${name}-nats`, { 'nats-users.conf': natsAuthorization(topology, keys) }],
  ]);
  for (const service of Object.keys(topology))
    made.set(`${name}-${service}-keys`, {
      ...keySettings(topology, keys, service),
      ...sharedOf(shared, service),
    });
  for (const [secret, texts] of made) await secrets.apply(secret, texts);
  return [...made.keys()];
}

function completeShared(kept: SharedKeys = {}): SharedKeys {
  return Object.fromEntries(Object.keys(sharedKeys).map((key) => [key, kept[key] ?? newKey()]));
}

function sharedOf(shared: SharedKeys, service: string): SharedKeys {
  return Object.fromEntries(Object.entries(shared).filter(([key]) => sharedKeys[key]?.includes(service)));
}
