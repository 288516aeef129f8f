import type { PublicOperation } from '@vaultsvc/contracts';
import { comparable, isLimited, Violation } from './answer.js';
import type { CallResolver, Place } from './call-resolver.js';
import { pathNamesOf, readsOf } from './contract-names.js';
import type { Attempt } from './journal.js';
import { unknownLike, type Owner } from './known-values.js';
import type { Sequence } from './sequence.js';

const ATTEMPTS_MAX = 3;

/** The same call with an id of the same form that nobody has. */
export function withUnknown(attempt: Attempt, param: string): Attempt {
  const { params = {} } = attempt.parts;
  const unknown = unknownLike(param, params[param] ?? '');
  return { ...attempt, parts: { ...attempt.parts, params: { ...params, [param]: unknown } } };
}

/**
 * AMB-58: throws when a caller can tell this resource from one that does not exist. A difference counts once it repeats: a
 * job may remove the rows of a deleted vault between two calls.
 */
export async function assertLikeUnknown(
  attempt: Attempt,
  param: string,
  because: string,
  sequence: Sequence,
): Promise<void> {
  let difference = '';
  for (let tries = 0; tries < ATTEMPTS_MAX; tries += 1) {
    const known = await sequence.send(attempt);
    const unknown = await sequence.send(withUnknown(attempt, param));
    if (isLimited(known) || isLimited(unknown) || comparable(known) === comparable(unknown)) return;
    difference = `${comparable(known)} instead of ${comparable(unknown)}`;
  }
  throw new Violation(`${attempt.op.name} reveals ${param} ${because}: ${difference}`);
}

/** Counters, states and times that events change later. */
const VOLATILE = /count|bytes|used|last_|status|_at$|time_remaining|^deliveries$/;

/**
 * A resource as its owner reads it, without what events change. Reads that need a new access token, because theirs has just
 * expired, are left out.
 */
export async function viewOf(
  op: PublicOperation,
  { params }: Place,
  owner: Owner,
  sequence: Sequence,
  resolver: CallResolver,
): Promise<ReadonlyMap<string, string>> {
  const values = Object.fromEntries(pathNamesOf(op).map(({ param, name }) => [name, params[param] ?? '']));
  const views = new Map<string, string>();
  for (const read of readsOf(op)) {
    const own = Object.fromEntries(pathNamesOf(read).map(({ param, name }) => [param, values[name] ?? '']));
    const vat = read.access.vat ? await resolver.token(owner, own['vault_id'] ?? '') : undefined;
    const credential = read.access.credential === 'session' ? 'session' : 'key';
    const attempt = { owner, via: 'http', credential, op: read, parts: { params: own }, vat } as const;
    const { reason, data } = await sequence.send(attempt);
    if (reason !== 'VAT_EXPIRED') views.set(read.name, JSON.stringify([reason, data], withoutVolatile));
  }
  return views;
}

function withoutVolatile(field: string, value: unknown): unknown {
  return VOLATILE.test(field) ? undefined : value;
}

/** Throws when a call of one account has changed what the other account reads. */
export function assertUnchanged(
  op: PublicOperation,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): void {
  for (const [read, view] of after)
    if ((before.get(read) ?? view) !== view)
      throw new Violation(`${op.name} of the other account changed ${before.get(read)} to ${view}`);
}
