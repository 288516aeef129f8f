import { EpochSeconds, Flag, IdOf, Name, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { descriptionField, VAULT_NAME_MAX, VaultParams } from './vault.js';

export class VaultChange {
  @Name({ max: VAULT_NAME_MAX, optional: true }) name?: string;
  @Text({ ...descriptionField, optional: true, description: 'null clears it.' }) description?: string | null;
  @Flag({ optional: true, description: 'Whether files may be shared. For admins and owners.' })
  public_file_sharing?: boolean;
}

export class UpdatedVault {
  @IdOf('vlt') vault_id: string;
  @Name({ max: VAULT_NAME_MAX }) name: string;
  @Text(descriptionField) description: string | null;
  @EpochSeconds() updated_at: number;
}

export const updateVault = operation({
  name: 'vaults.update',
  summary: 'Changes what is given of a vault; at least one field.',
  http: { method: 'PUT', path: '/v1/vaults/{vault_id}', status: 200 },
  access: { credential: 'key' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  body: VaultChange,
  reply: UpdatedVault,
  errors: ['ROLE_REQUIRED', 'VAULT_NOT_FOUND', 'VAULT_NAME_TAKEN'],
});
