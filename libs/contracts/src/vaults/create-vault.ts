import { EpochSeconds, IdOf, Name, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { VAULT_NAME_MAX, WarningText } from './vault.js';

export class NewVault {
  @Name({ max: VAULT_NAME_MAX, description: 'Unique in the account, whatever its case.' }) name: string;
}

export class CreatedVault {
  @IdOf('vlt') vault_id: string;
  @Name({ max: VAULT_NAME_MAX }) name: string;
  @Text({ max: 100, description: 'The Vault Master Key. It is shown here, once, and stored nowhere.' })
  vmk: string;
  @WarningText() vmk_warning: string;
  @EpochSeconds() created_at: number;
}

/** Makes a vault and the one key that opens it. */
export const createVault = operation({
  name: 'vaults.create',
  summary: 'Creates a vault. Its master key is shown once and cannot be recovered.',
  http: { method: 'POST', path: '/v1/vaults', status: 201 },
  access: { credential: 'key' },
  body: NewVault,
  reply: CreatedVault,
  errors: ['VAULT_NAME_TAKEN'],
});
