import { operation } from '../core/operation.js';
import { IngotParams } from './ingot.js';
import { KeyNames } from './key-names.js';
import { KeyValuesField, type KeyValues } from './key-values.js';
import {
  STRUCTURED_BODY_BYTES_MAX,
  STRUCTURED_PATH,
  structuredAccess,
  structuredErrors,
  StructuredUpdated,
} from './structured.js';

export class StructuredChange {
  @KeyValuesField({ optional: true, description: 'Keys to add or to write anew, with their values.' })
  set?: KeyValues;
  @KeyNames({ optional: true, description: 'Keys to remove; those that are not there do not matter.' })
  delete?: string[];
}

/**
 * Changes single keys (STR-14): all of it or nothing. Of two calls that overlap one wins; the other is
 * STRUCTURED_OVERTAKEN, has changed nothing and may be sent again (STR-16). Draws the bytes of the values that are set
 * from bandwidth, and what they add from storage.
 */
export const updateStructured = operation({
  name: 'vaults.update-structured',
  summary: 'Sets and removes keys of a structured ingot.',
  http: { method: 'PATCH', path: `${STRUCTURED_PATH}/{ingot_id}`, status: 200 },
  access: structuredAccess.write,
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  billable: true,
  bodyBytesMax: STRUCTURED_BODY_BYTES_MAX,
  body: StructuredChange,
  reply: StructuredUpdated,
  errors: [...structuredErrors, 'VAT_READ_ONLY', 'STRUCTURED_OVERTAKEN'],
});
