import { randomBytes } from 'node:crypto';
import { completeKeys, keySettings, newKey, newNKey, publicKeyOf } from '../provision/keys.mjs';
import { readTopology } from '../provision/topology.mjs';

/**
 * @typedef {import('../provision/keys.mjs').Keys} Keys
 * @typedef {import('../provision/topology.mjs').Topology} Topology
 * @typedef {object} TestWire
 * @property {Topology} topology
 * @property {Keys} keys
 * @property {{ seed: string, publicKey: string }} standIn the NKey of services that only specs define
 * @property {{ user: string, password: string }} inspector
 */

/** Services that only specs define. Each may stand for any service, so it has all keys, and no limits at NATS. */
const standIns = ['absent', 'desk', 'ledger', 'oracle', 'shop', 'sink', 'source', 'stranger', 'widgets'];

/** @returns {TestWire} of one run: the keys and users of a deployment, and those of the services of specs */
export function newTestWire() {
  const topology = withStandIns(readTopology());
  const keys = completeKeys(topology);
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

/**
 * The gateway calls the services of specs as well.
 * @param {Topology} topology
 * @returns {Topology}
 */
function withStandIns(topology) {
  const { gateway = { calls: [], publishesTo: [], consumesFrom: [] } } = topology;
  return {
    ...topology,
    gateway: { ...gateway, calls: [...gateway.calls, ...standIns.map((name) => `${name}.*`)] },
  };
}

/** @param {TestWire} wire @returns {import('../stack/servers/nats.mjs').NatsUsers} */
export function natsUsersOf({ topology, keys, standIn, inspector }) {
  return { topology, keys, others: [inspector, { nkey: standIn.publicKey }] };
}

/**
 * The settings of a service for its messages.
 * @param {TestWire} wire
 * @param {string} service
 * @returns {Record<string, string>}
 */
export function wireSettings({ topology, keys, standIn }, service) {
  return standIns.includes(service)
    ? settingsOfStandIn(keys, service, standIn.seed)
    : keySettings(topology, keys, service);
}

/**
 * @param {Keys} keys
 * @param {string} service
 * @param {string} seed
 */
function settingsOfStandIn({ calls, events }, service, seed) {
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
