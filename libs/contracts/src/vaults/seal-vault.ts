import { operation } from '../core/operation.js';
import { VaultParams } from './vault.js';

export const sealVault = operation({
  name: 'vaults.seal',
  summary: 'Closes a vault: every Vault Access Token of it is dead when this is answered.',
  http: { method: 'POST', path: '/v1/vaults/{vault_id}/seal', status: 204 },
  access: { credential: 'key' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  errors: ['VAULT_NOT_FOUND'],
});
