import { operation } from '../core/operation.js';
import { IngotParams } from './ingot.js';
import { STRUCTURED_PATH, structuredAccess, structuredErrors } from './structured.js';

/** Its key goes with it: nothing of it can be read when this is answered. Sparks that were minted of it stay. */
export const deleteStructured = operation({
  name: 'vaults.delete-structured',
  summary: 'Deletes a structured ingot with all of its keys.',
  http: { method: 'DELETE', path: `${STRUCTURED_PATH}/{ingot_id}`, status: 204 },
  access: structuredAccess.write,
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  errors: [...structuredErrors, 'VAT_READ_ONLY'],
});
