import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { callPairs, hasOutbox, type Topology } from './topology.ts';

export type NKey = { seed: string; publicKey: string };

/** Of the messages between services; the current key stands first in each list. */
export interface Keys {
  /** 32 random bytes in base64, by `caller-called`. */
  calls: Record<string, string[]>;
  /** Ed25519 private keys (RFC 8032) in base64, by publisher. */
  events: Record<string, string[]>;
  /** NKeys, by service. */
  nats: Record<string, NKey[]>;
  /** Ed25519 private keys of transparency logs in base64, by the service that signs. */
  logs?: Record<string, string[]>;
  /** Keys that several services or instances have in common: 32 random bytes in base64, by setting. */
  shared?: Record<string, string[]>;
  /** The shards of accounts that there are; [0] unless given. */
  shards?: number[];
}

/** Two characters of an id hold no higher number of a shard. */
export const shardMax = 3_843;

/** The services that read each shared key. */
const holders: Readonly<Record<string, readonly string[]>> = {
  CURSOR_KEY: ['gateway'],
  CREDENTIAL_RECORD_KEY: ['gateway', 'auth'],
  POOL_SNAPSHOT_KEY: ['gateway', 'auth', 'reporting'],
};

/** The DER of an Ed25519 private key before its 32 bytes (RFC 8410). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Changes every list of keys. */
function changeLists(
  { calls, events, nats, logs = {}, shared = {}, ...others }: Keys,
  change: <T>(list: T[], make: () => T) => T[],
) {
  const each = <T>(lists: Record<string, T[]>, make: () => T) =>
    Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, change(list, make)]));
  return {
    calls: each(calls, newKey),
    events: each(events, newKey),
    nats: each(nats, newNKey),
    logs: each(logs, newKey),
    shared: each(shared, newKey),
    ...others,
  };
}

/**
 * Adds the keys that a topology needs and the given ones lack.
 * @param shards are added to those that are known
 */
export function completeKeys(
  topology: Topology,
  keys: Keys = { calls: {}, events: {}, nats: {} },
  shards: number[] = [],
): Keys {
  const allShards = [...new Set([...(keys.shards ?? []), ...shards])];
  const services = Object.keys(topology);
  const pairs = callPairs(topology).map(({ caller, called }) => `${caller}-${called}`);
  return {
    calls: withMissing(keys.calls, pairs, newKey),
    events: withMissing(keys.events, services, newKey),
    nats: withMissing(keys.nats, services, newNKey),
    logs: withMissing(keys.logs ?? {}, ['reporting'], newKey),
    shared: withMissing(keys.shared ?? {}, Object.keys(holders), newKey),
    ...(allShards.length > 0 && { shards: allShards }),
  };
}

/**
 * The steps of a rotation without an outage. `begin` adds keys that verify only, `switch` signs with them, `end` removes the
 * old ones. All services get the settings of one step before the next one. Between `begin` and `end` both keys of the
 * transparency log sign its checkpoints: the old one introduces the new one.
 */
export const rotation: Record<'begin' | 'switch' | 'end', (keys: Keys) => Keys> = {
  begin: (keys) => changeLists(keys, (list, make) => [...list.slice(0, 1), make()]),
  switch: (keys) => changeLists(keys, (list) => list.toReversed()),
  end: (keys) => changeLists(keys, (list) => list.slice(0, 1)),
};

/** The settings of one service, and no key of others. */
export function keySettings(
  topology: Topology,
  { calls, events, nats, logs = {} }: Keys,
  service: string,
): Record<string, string> {
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
 * The shards of `--shards`: numbers, separated by commas.
 * @throws Error for other texts
 */
export function shardsOf(text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined;
  const shards = text.split(',').map((part) => Number(part.trim() || NaN));
  const isShard = (one: number) => Number.isInteger(one) && one >= 0 && one <= shardMax;
  if (shards.every(isShard) && shards.includes(0)) return shards;
  throw new Error(`--shards is 0 and other numbers up to ${shardMax}, such as 0,1, not ${text}.`);
}

/** The keys that a service has in common with others, each with the second one of a rotation. */
export function sharedSettings({ shared = {} }: Keys, service: string): Record<string, string> {
  const own = Object.entries(holders).filter(([, services]) => services.includes(service));
  return Object.fromEntries(own.map(([setting]) => [setting, (shared[setting] ?? []).join()]));
}

function settingOf(names: string[], keys: Record<string, string[]>, form = (key: string) => key) {
  return names.flatMap((name) => (keys[name] ?? []).map((key) => `${name}:${form(key)}`)).join();
}

/** @param privateKey in base64 */
export function publicKeyOf(privateKey: string) {
  const key = createPrivateKey({
    key: Buffer.concat([pkcs8Head, Buffer.from(privateKey, 'base64')]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}

/** @returns 32 random bytes in base64 */
export function newKey(): string {
  return randomBytes(32).toString('base64');
}

export function newNKey(): NKey {
  // Loaded late: the launcher of the local stack runs before node modules are installed.
  const { createUser } = createRequire(import.meta.url)('@nats-io/nkeys');
  const user = createUser();
  return { seed: Buffer.from(user.getSeed()).toString(), publicKey: user.getPublicKey() };
}

function withMissing<T>(known: Record<string, T[]>, names: string[], make: () => T) {
  return Object.fromEntries(names.map((name) => [name, known[name] ?? [make()]]));
}
