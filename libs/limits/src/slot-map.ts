import library from '@redis/client/dist/lib/utils/calculate-slot.js';
import type { RedisReply } from './redis-servers.js';
import { addressOf } from './server-address.js';

/** A cluster has this many slots, each of which one master has. */
export const SLOTS = 16_384;

/** The address of the master of each slot; undefined where none has it. */
export type SlotMap = readonly (string | undefined)[];

/** The slot of a key, by what is between its first braces if it has any. */
export const slotOf: (key: string) => number = library.default;

/**
 * The slot map in a reply to CLUSTER SLOTS.
 * @param askedHost stands for the host of a node that does not know its own
 */
export function slotMapIn(reply: RedisReply, askedHost: string): SlotMap {
  const slots = new Array<string | undefined>(SLOTS).fill(undefined);
  for (const [from, to, [host, port]] of reply as readonly SlotRange[])
    slots.fill(addressOf(isKnown(host) ? host : askedHost, port), from, to + 1);
  return slots;
}

/** Further elements are the replicas of the master. */
type SlotRange = readonly [from: number, to: number, master: readonly [host: string | null, port: number]];

/** The answer of a node that does not serve the slot of a command, or not all keys of it any more. */
export interface Redirection {
  /** `MOVED`: the slot has another master. `ASK`: this command goes to another one, to which the slot is moving. */
  readonly kind: 'MOVED' | 'ASK';
  readonly address: string;
}

/** @param askedHost of the node that answered */
export function redirectionIn(error: unknown, askedHost: string): Redirection | undefined {
  const [, kind, host = '', port = ''] =
    /^(MOVED|ASK) \d+ (.*):(\d+)$/.exec(error instanceof Error ? error.message : '') ?? [];
  if (kind !== 'MOVED' && kind !== 'ASK') return undefined;
  return { kind, address: addressOf(isKnown(host) ? host : askedHost, port) };
}

function isKnown(host: string | null): host is string {
  return host !== null && host !== '' && host !== '?';
}
