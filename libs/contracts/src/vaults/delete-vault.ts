import { IdOf, OneOf } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { VaultParams } from './vault.js';

export class DeletedVault {
  @IdOf('vlt') vault_id: string;
  @OneOf(['deleting']) status: 'deleting';
}

/**
 * Nothing of the vault can be read when this is answered, and its name is free. What is left is removed afterwards;
 * until then a repeat is answered alike, later it is 404 (OPEN-12).
 */
export const deleteVault = operation({
  name: 'vaults.delete',
  summary: 'Deletes a vault with all that is in it: unreadable at once, removed soon after.',
  http: { method: 'DELETE', path: '/v1/vaults/{vault_id}', status: 202 },
  access: { credential: 'key' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  reply: DeletedVault,
  errors: ['VAULT_NOT_FOUND'],
});
