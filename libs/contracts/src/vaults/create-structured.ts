import { operation } from '../core/operation.js';
import { IngotName } from './ingot.js';
import { KeyValuesField, type KeyValues } from './key-values.js';
import {
  STRUCTURED_BODY_BYTES_MAX,
  STRUCTURED_PATH,
  structuredAccess,
  StructuredCreated,
} from './structured.js';
import { VaultParams, writeErrors } from './vault.js';

export class NewStructured {
  @IngotName() name: string;
  @KeyValuesField({
    description:
      'At most 10,000 keys with names of 1 to 256 characters without a comma; each value is any JSON of at most 1,048,576 bytes.',
  })
  data: KeyValues;
}

/**
 * Keeps keys and values, each sealed by itself. A name that a structured ingot of the vault has, wherever it
 * lies, overwrites that ingot (STR-06, AMB-43): it keeps its id and begins anew with version 1. Draws the bytes of the
 * values from bandwidth, and what they add from storage.
 */
export const createStructured = operation({
  name: 'vaults.create-structured',
  summary: 'Makes a structured ingot, or overwrites the one of this name with all of its keys.',
  http: { method: 'POST', path: STRUCTURED_PATH, status: 201 },
  access: structuredAccess.write,
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  billable: true,
  bodyBytesMax: STRUCTURED_BODY_BYTES_MAX,
  body: NewStructured,
  reply: StructuredCreated,
  errors: [...writeErrors, 'INGOT_NAME_TAKEN', 'INGOT_NAME_AMBIGUOUS'],
});
