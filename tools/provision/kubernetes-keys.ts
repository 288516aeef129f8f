import { administratorFiles, completeAccesses, type Accesses } from './administrators.ts';
import { completeKeys, keySettings, sharedSettings, type Keys } from './keys.ts';
import type { KubernetesSecrets } from './kubernetes-secrets.ts';
import { natsAuthorization } from './nats-users.ts';
import type { Topology } from './topology.ts';

/**
 * Makes the Secrets of an installation: `NAME-SERVICE-keys` with the settings of a service, `NAME-nats` with the users of NATS, and
 * `NAME-provision` with all keys in the form of `provision --keys` and the accesses of administrators. Existing keys stay; those
 * that a new release needs are added.
 * @returns the names of the Secrets
 * @throws when the API refuses
 */
export async function provisionCluster(
  secrets: KubernetesSecrets,
  topology: Topology,
  name: string,
  shards?: number[],
): Promise<string[]> {
  const kept = await secrets.read(`${name}-provision`);
  const stored: (Keys & Partial<Accesses>) | undefined = kept && JSON.parse(kept['keys.json'] ?? '');
  const keys = completeKeys(topology, stored, shards);
  const accesses = completeAccesses(stored);
  const others = [{ nkey: accesses.natsAdministrator.publicKey }];
  const made = new Map<string, Record<string, string>>([
    // The first one: a run that is interrupted afterwards goes on with the same keys.
    [
      `${name}-provision`,
      { 'keys.json': JSON.stringify({ ...keys, ...accesses }), ...administratorFiles(accesses) },
    ],
    [`${name}-nats`, { 'nats-users.conf': natsAuthorization(topology, keys, { others }) }],
  ]);
  for (const service of Object.keys(topology))
    made.set(`${name}-${service}-keys`, {
      ...keySettings(topology, keys, service),
      ...sharedSettings(keys, service),
    });
  for (const [secret, texts] of made) await secrets.apply(secret, texts);
  return [...made.keys()];
}
