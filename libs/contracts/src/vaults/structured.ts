import { EpochSeconds, IdOf, Int } from '../core/fields.js';
import { IngotName } from './ingot.js';
import { STRUCTURED_KEYS_MAX } from './key-names.js';
import { readErrors } from './vault.js';

/** What `managed_by` says of structured ingots (ING-16). */
export const STRUCTURED_PRODUCT = 'structured-ingots';

/** The path of all operations on structured ingots (STR-01). */
export const STRUCTURED_PATH = '/v1/products/structured-ingots/{vault_id}';

/** Bytes that a value may have: of its UTF-8, or of its JSON text where it is no string; over it 413 (AMB-12). */
export const VALUE_BYTES_MAX = 1_048_576;

/** Bytes of a body; over it 413. Larger ingots are built up by PATCH (OPEN-06). */
export const STRUCTURED_BODY_BYTES_MAX = 7 * 1_048_576;

/** What every operation on these routes asks for: a missing token is 400 here and 401 elsewhere (AMB-10). */
export const structuredAccess = {
  read: { credential: 'key', vat: 'read', vatMissing: 'VALIDATION_ERROR' },
  write: { credential: 'key', vat: 'write', vatMissing: 'VALIDATION_ERROR' },
} as const;

/** What the gate of the vault and the search for one ingot may answer; to what writes also VAT_READ_ONLY. */
export const structuredErrors = [
  ...readErrors,
  'INGOT_NOT_FOUND',
  'INGOT_NAME_AMBIGUOUS',
  'INGOT_NOT_STRUCTURED',
] as const;

export const VersionField = (options: { optional?: boolean } = {}) =>
  Int({
    ...options,
    min: 1,
    description: 'Rises by one with each change; 1 again when the ingot is overwritten.',
  });

export const KeyCount = (options: { optional?: boolean } = {}) =>
  Int({ ...options, min: 0, max: STRUCTURED_KEYS_MAX });

/** What an answer to a change begins with. */
export class StructuredState {
  @IdOf('ing') ingot_id: string;
  @VersionField() version: number;
  @KeyCount() key_count: number;
}

export class StructuredCreated extends StructuredState {
  @IngotName() name: string;
  @EpochSeconds() created_at: number;
}

export class StructuredUpdated extends StructuredState {
  @EpochSeconds() updated_at: number;
}
