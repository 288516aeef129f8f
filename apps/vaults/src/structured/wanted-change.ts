import { validationError } from '@vaultsvc/contracts';
import type { StructuredChange } from '@vaultsvc/contracts/vaults';
import { keyValuesOf, type KeyValue } from './key-value.js';

/** What is to be written and what is to go; no name is in both. */
export interface WantedChange {
  readonly set: readonly KeyValue[];
  readonly removed: readonly string[];
}

/** Throws 400 for a change of nothing (STR-14) or one that contradicts itself, then PAYLOAD_TOO_LARGE (AMB-12). */
export function wantedChange({ set = {}, delete: removed = [] }: StructuredChange): WantedChange {
  const names = new Set(Object.keys(set));
  if (names.size === 0 && removed.length === 0)
    throw validationError({ field: '', message: 'set or delete must name at least one key' });
  const index = removed.findIndex((name) => names.has(name));
  if (index >= 0) throw validationError({ field: 'delete', message: `key ${index + 1} is in set as well` });
  return { set: keyValuesOf('set', set), removed: [...new Set(removed)] };
}
