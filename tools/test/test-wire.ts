import { randomBytes } from 'node:crypto';
import { completeKeys, keySettings, newKey, newNKey, publicKeyOf, type Keys } from '../provision/keys.ts';
import { readTopology, type Topology } from '../provision/topology.ts';
import type { NatsUsers } from '../stack/servers/nats.ts';

export interface TestWire {
  topology: Topology;
  keys: Keys;
  /** The NKey of services that only specs define. */
  standIn: { seed: string; publicKey: string };
  inspector: { user: string; password: string };
}

/** Services that only specs define. Each may stand for any service, so it has all keys, and no limits at NATS. */
const standIns = ['absent', 'desk', 'ledger', 'oracle', 'shop', 'sink', 'source', 'stranger', 'widgets'];

/** The shards of accounts that specs start. */
const testShards = [0, 1, 2];

/** @returns of one run: the keys and users of a deployment, and those of the services of specs */
export function newTestWire(): TestWire {
  const topology = withStandIns(readTopology());
  const keys = completeKeys(topology, undefined, testShards);
  const pairs = standIns.flatMap((caller) => standIns.map((called) => `${caller}-${called}`));
  return {
    topology,
    keys: {
      ...keys,
      calls: { ...keys.calls, ...Object.fromEntries(pairs.map((pair) => [pair, [newKey()]])) },
      events: { ...keys.events, ...Object.fromEntries(standIns.map((name) => [name, [newKey()]])) },
    },
    standIn: newNKey(),
    inspector: { user: 'test', password: randomBytes(18).toString('base64url') },
  };
}

/** The gateway calls the services of specs as well. */
function withStandIns(topology: Topology): Topology {
  const { gateway = { calls: [], publishesTo: [], consumesFrom: [] } } = topology;
  return {
    ...topology,
    gateway: { ...gateway, calls: [...gateway.calls, ...standIns.map((name) => `${name}.*`)] },
  };
}

export function natsUsersOf({ topology, keys, standIn, inspector }: TestWire): NatsUsers {
  return { topology, keys, others: [inspector, { nkey: standIn.publicKey }] };
}

/** The settings of a service for its messages. */
export function wireSettings({ topology, keys, standIn }: TestWire, service: string): Record<string, string> {
  return standIns.includes(service)
    ? settingsOfStandIn(keys, service, standIn.seed)
    : keySettings(topology, keys, service);
}

function settingsOfStandIn({ calls, events }: Keys, service: string, seed: string) {
  return {
    CALL_KEYS: Object.entries(calls)
      .map(([pair, [key]]) => `${pair}:${key}`)
      .join(),
    EVENT_SIGNING_KEY: events[service]?.[0] ?? '',
    EVENT_KEYS: Object.entries(events)
      .map(([name, [key = '']]) => `${name}:${publicKeyOf(key)}`)
      .join(),
    NATS_NKEY_SEED: seed,
  };
}
