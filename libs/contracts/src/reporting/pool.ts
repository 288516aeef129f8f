import { Flag, IdOf, OneOf } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** The account whose pools are meant. */
export class PoolOwner {
  @IdOf('acc') account_id: string;
}

/** The snapshot is in Redis. */
export class PoolSnapshotLoaded {}

/** Writes the pool snapshot of an account to Redis; called when the gateway or auth misses it there (OPEN-58). */
export const loadPoolSnapshot = operation({
  name: 'reporting.load-funds', // the wire name of earlier releases
  summary: "Writes the snapshot of an account's plan and pools to Redis.",
  access: 'internal',
  callers: ['gateway', 'auth'],
  body: PoolOwner,
  reply: PoolSnapshotLoaded,
  repeatable: true,
});

/** The plan of an account, and which of its pools are exhausted. */
export class AccountPoolAvailability {
  @OneOf(['active', 'none']) plan: 'active' | 'none';
  @Flag() is_storage_exhausted: boolean;
  @Flag() is_bandwidth_exhausted: boolean;
}

/**
 * For services without Redis and for accounts other than the caller's: opening a link draws the pools of the link's
 * owner.
 */
export const readPoolAvailability = operation({
  name: 'reporting.read-funds', // the wire name of earlier releases
  summary: 'Reads whether the plan of an account is active and which of its pools are exhausted.',
  access: 'internal',
  callers: ['vaults', 'integrations'],
  body: PoolOwner,
  reply: AccountPoolAvailability,
  repeatable: true,
});
