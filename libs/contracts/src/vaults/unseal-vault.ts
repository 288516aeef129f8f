import { EpochSeconds, IdOf, Int, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { VaultParams, WarningText } from './vault.js';

/** Seconds that a Vault Access Token lives at most, and unless asked otherwise (VAT-12). */
export const VAT_SECONDS_MAX = 86_400;
export const VAT_SECONDS_DEFAULT = 3_600;

export class Unsealing {
  @Text({
    max: 200,
    optional: true,
    description: 'The Vault Master Key. For older integrations a delegated key is taken here too.',
  })
  vmk?: string;

  @Text({
    max: 200,
    optional: true,
    description: 'A delegated key, exactly as issued. Exactly one of vmk and dvak_token must be given.',
  })
  dvak_token?: string;

  @Int({ min: 1, max: VAT_SECONDS_MAX, optional: true }) ttl_seconds = VAT_SECONDS_DEFAULT;
}

export class UnsealedVault {
  @Text({ max: 100, description: 'The Vault Access Token, for X-Vault-Access-Token. It is shown here once.' })
  vat: string;
  @IdOf('vlt') vault_id: string;
  @EpochSeconds() issued_at: number;
  @EpochSeconds({ description: 'issued_at and ttl_seconds.' }) expires_at: number;
  @Int({ min: 1 }) ttl_seconds: number;
  @WarningText() warning: string;
}

/** Trades a key for a token. Tokens of earlier calls stay as they are (VAT-09). */
export const unsealVault = operation({
  name: 'vaults.unseal',
  summary: 'Opens a vault with its master key or a delegated key, for at most 24 hours.',
  http: { method: 'POST', path: '/v1/vaults/{vault_id}/unseal', status: 200 },
  access: { credential: 'key' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  body: Unsealing,
  reply: UnsealedVault,
  errors: ['VAULT_NOT_FOUND', 'DVAK_INVALID', 'DVAK_OF_ANOTHER_USER', 'VAULT_KEY_WRONG'],
});
