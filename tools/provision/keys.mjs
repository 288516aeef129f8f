import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { callPairs, hasOutbox } from './topology.mjs';

/**
 * @typedef {import('./topology.mjs').Topology} Topology
 * @typedef {{ seed: string, publicKey: string }} NKey
 * @typedef {object} Keys of the messages between services; the current key stands first in each list
 * @property {Record<string, string[]>} calls 32 random bytes in base64, by `caller-called`
 * @property {Record<string, string[]>} events Ed25519 private keys (RFC 8032) in base64, by publisher
 * @property {Record<string, NKey[]>} nats NKeys, by service
 * @property {Record<string, string[]>} [logs] Ed25519 private keys of transparency logs in base64, by the service that signs
 */

/** The DER of an Ed25519 private key before its 32 bytes (RFC 8410). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Changes every list of keys. @param {Keys} keys @param {<T>(list: T[], make: () => T) => T[]} change */
function changeLists({ calls, events, nats, logs = {} }, change) {
  const each = (/** @type {Record<string, any[]>} */ lists, /** @type {() => any} */ make) =>
    Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, change(list, make)]));
  return {
    calls: each(calls, newKey),
    events: each(events, newKey),
    nats: each(nats, newNKey),
    logs: each(logs, newKey),
  };
}

/**
 * Adds the keys that a topology needs and the given ones lack.
 * @param {Topology} topology
 * @param {Keys} [keys]
 * @returns {Keys}
 */
export function completeKeys(topology, keys = { calls: {}, events: {}, nats: {} }) {
  const services = Object.keys(topology);
  const pairs = callPairs(topology).map(({ caller, called }) => `${caller}-${called}`);
  return {
    calls: withMissing(keys.calls, pairs, newKey),
    events: withMissing(keys.events, services, newKey),
    nats: withMissing(keys.nats, services, newNKey),
    logs: withMissing(keys.logs ?? {}, ['reporting'], newKey),
  };
}

/**
 * The steps of a rotation without an outage. `begin` adds keys that verify only, `switch` signs with them, `end` removes the
 * old ones. All services get the settings of one step before the next one. Between `begin` and `end` both keys of the
 * transparency log sign its checkpoints: the old one introduces the new one.
 * @type {Record<'begin' | 'switch' | 'end', (keys: Keys) => Keys>}
 */
export const rotation = {
  begin: (keys) => changeLists(keys, ([current], make) => [/** @type {any} */ (current), make()]),
  switch: (keys) => changeLists(keys, (list) => list.toReversed()),
  end: (keys) => changeLists(keys, (list) => list.slice(0, 1)),
};

/**
 * The settings of one service, and no key of others.
 * @param {Topology} topology
 * @param {Keys} keys
 * @param {string} service
 * @returns {Record<string, string>}
 */
export function keySettings(topology, { calls, events, nats, logs = {} }, service) {
  const own = Object.keys(calls).filter((pair) => pair.split('-').includes(service));
  const sources = topology[service]?.consumesFrom ?? [];
  return {
    CALL_KEYS: settingOf(own, calls),
    ...(hasOutbox(service) && {
      EVENT_SIGNING_KEY: events[service]?.[0] ?? '',
      EVENT_KEYS: settingOf(sources, events, publicKeyOf),
    }),
    ...(logs[service] && { AUDIT_LOG_KEYS: logs[service].join() }),
    NATS_NKEY_SEED: nats[service]?.[0]?.seed ?? '',
  };
}

/**
 * @param {string[]} names
 * @param {Record<string, string[]>} keys
 */
function settingOf(names, keys, form = (/** @type {string} */ key) => key) {
  return names.flatMap((name) => (keys[name] ?? []).map((key) => `${name}:${form(key)}`)).join();
}

/** @param {string} privateKey in base64 */
export function publicKeyOf(privateKey) {
  const key = createPrivateKey({
    key: Buffer.concat([pkcs8Head, Buffer.from(privateKey, 'base64')]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}

/** @returns {string} 32 random bytes in base64 */
export function newKey() {
  return randomBytes(32).toString('base64');
}

/** @returns {NKey} */
export function newNKey() {
  // Loaded late: the launcher of the local stack runs before node modules are installed.
  const { createUser } = createRequire(import.meta.url)('@nats-io/nkeys');
  const user = createUser();
  return { seed: Buffer.from(user.getSeed()).toString(), publicKey: user.getPublicKey() };
}

/**
 * @template T
 * @param {Record<string, T[]>} known
 * @param {string[]} names
 * @param {() => T} make
 */
function withMissing(known, names, make) {
  return Object.fromEntries(names.map((name) => [name, known[name] ?? [make()]]));
}
