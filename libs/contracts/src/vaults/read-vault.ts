import { EpochSeconds, Flag, IdOf, Int, Name, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { descriptionField, VAULT_NAME_MAX, VaultParams } from './vault.js';

export class Vault {
  @IdOf('vlt') vault_id: string;
  @Name({ max: VAULT_NAME_MAX }) name: string;
  @Text(descriptionField) description: string | null;
  @OneOf(['sealed', 'unsealed'], { description: 'unsealed while a Vault Access Token opens it.' })
  status: 'sealed' | 'unsealed';
  @Flag({ description: 'Whether files of the vault may be shared.' }) public_file_sharing: boolean;
  @Int({ min: 0 }) ingot_count: number;
  @Int({ min: 0 }) storage_bytes: number;
  @Int({ min: 0 }) total_access_count: number;
  @Int({ min: 0 }) total_bandwidth_bytes: number;
  @EpochSeconds() created_at: number;
  @IdOf('usr', { nullable: true, description: 'null: by an API key.' }) created_by_user_id: string | null;
  @EpochSeconds({ nullable: true, description: 'null until it is first unsealed.' })
  last_unsealed_at: number | null;
  @Int({ min: 0 }) unseal_count: number;
}

export const readVault = operation({
  name: 'vaults.read',
  summary: 'A vault and whether it is sealed at this moment.',
  http: { method: 'GET', path: '/v1/vaults/{vault_id}', status: 200 },
  access: { credential: 'key' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  reply: Vault,
  errors: ['VAULT_NOT_FOUND'],
  repeatable: true,
});
