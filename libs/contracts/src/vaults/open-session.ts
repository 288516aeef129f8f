import { IdOf, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { writeErrors } from './vault.js';

export class VaultSessionQuestion {
  @IdOf('vlt') vault_id: string;
  @Text({ max: 200, description: 'The Vault Access Token as the caller sent it.' }) vat: string;
  @OneOf(['read', 'write'], { description: 'What the operation is going to do.' }) level: 'read' | 'write';
}

export class VaultSession {
  @IdOf('vlt') vault_id: string;
  @OneOf(['read', 'read_write']) access_level: 'read' | 'read_write';
}

/**
 * Whether this token opens this vault for this account, asked by the gateway before it reads query and body
 * (OPEN-61). In this order (AMB-13): unknown token 401, unknown vault 404, expired, other vault or too low a level 403.
 */
export const openVaultSession = operation({
  name: 'vaults.session',
  summary: 'Whether a Vault Access Token opens a vault at a level.',
  access: 'internal',
  body: VaultSessionQuestion,
  reply: VaultSession,
  errors: writeErrors,
  repeatable: true,
});
