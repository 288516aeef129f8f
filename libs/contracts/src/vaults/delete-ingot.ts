import { operation } from '../core/operation.js';
import { IngotParams } from './ingot.js';
import { writeErrors } from './vault.js';

/** Nothing of it can be read when this is answered; its bytes are removed soon after (ING-36, ING-37). */
export const deleteIngot = operation({
  name: 'vaults.delete-ingot',
  summary: 'Deletes an ingot with its content. One whose first upload began within the hour is not deleted.',
  http: { method: 'DELETE', path: '/v1/vaults/{vault_id}/ingots/{ingot_id}', status: 204 },
  access: { credential: 'key', vat: 'write' },
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  errors: [...writeErrors, 'INGOT_NOT_FOUND', 'INGOT_NAME_AMBIGUOUS', 'INGOT_MANAGED', 'INGOT_UPLOADING'],
});
