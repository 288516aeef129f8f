import { event } from '../core/event.js';
import { EXAMPLE_VMK, exampleTime } from '../core/example-values.js';
import { Example } from '../core/example.js';
import { EpochSeconds, IdOf, Int, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { VaultAction, VaultParams, WarningText, writeErrors } from './vault.js';

/** Longest and default lifetime of a Vault Access Token, in seconds (VAT-12). */
export const VAT_SECONDS_MAX = 86_400;
export const VAT_SECONDS_DEFAULT = 3_600;

/** Body of `unsealVault`. */
@Example({ vmk: EXAMPLE_VMK })
export class Unsealing {
  @Text({
    max: 200,
    optional: true,
    description: 'The Vault Master Key. Older integrations may send a delegated key here.',
  })
  vmk?: string;

  @Text({
    max: 200,
    optional: true,
    description: 'A delegated key, exactly as issued. Exactly one of vmk and dvak_token is required.',
  })
  dvak_token?: string;

  @Int({ min: 1, max: VAT_SECONDS_MAX, optional: true }) ttl_seconds = VAT_SECONDS_DEFAULT;
}

/** An unsealed vault with its Vault Access Token. */
@Example({
  expires_at: exampleTime(VAT_SECONDS_DEFAULT),
  warning:
    'Keep this token safe: it opens the vault until it expires. It is stored nowhere and is not shown again.',
})
export class UnsealedVault {
  @Text({ max: 100, description: 'The Vault Access Token, for X-Vault-Access-Token. Returned only here.' })
  vat: string;
  @IdOf('vlt') vault_id: string;
  @EpochSeconds() issued_at: number;
  @EpochSeconds({ description: 'issued_at plus ttl_seconds.' }) expires_at: number;
  @Int({ min: 1 }) ttl_seconds: number;
  @WarningText() warning: string;
}

/** Exchanges a key for a Vault Access Token. Tokens of earlier calls stay valid (VAT-09). */
export const unsealVault = operation({
  name: 'vaults.unseal',
  summary:
    'Unseals a vault with its master key or a delegated key, and returns a Vault Access Token for at most 24 hours.',
  http: { method: 'POST', path: '/v1/vaults/{vault_id}/unseal', status: 200 },
  access: { credential: 'key' },
  callers: ['integrations'],
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  body: Unsealing,
  reply: UnsealedVault,
  errors: ['VAULT_NOT_FOUND', 'DVAK_INVALID', 'DVAK_OF_ANOTHER_USER', 'VAULT_KEY_WRONG'],
});

/** Body of `openVaultSession`. */
export class VaultSessionRequest {
  @IdOf('vlt') vault_id: string;
  @Text({ max: 200, description: 'The Vault Access Token as the caller sent it.' }) vat: string;
  @OneOf(['read', 'write'], { description: 'The level that the operation needs.' }) level: 'read' | 'write';
}

/** A Vault Access Token that is valid for a vault. */
export class VaultSession {
  @IdOf('vlt') vault_id: string;
  @OneOf(['read', 'read_write']) access_level: 'read' | 'read_write';
}

/**
 * Checks a Vault Access Token for a vault of the caller's account. The gateway calls it before it reads query and body
 * (OPEN-61). Errors in this order (AMB-13): unknown token 401; unknown vault 404; expired token, token of another vault
 * or insufficient level 403.
 */
export const openVaultSession = operation({
  name: 'vaults.session',
  summary: 'Checks whether a Vault Access Token is valid for a vault and a level.',
  access: 'internal',
  callers: ['gateway', 'integrations'],
  body: VaultSessionRequest,
  reply: VaultSession,
  errors: [...writeErrors, 'BUSY'],
  repeatable: true,
});

/** Ends all Vault Access Tokens of a vault. */
export const sealVault = operation({
  name: 'vaults.seal',
  summary: 'Seals a vault: all of its Vault Access Tokens are invalid when the reply arrives.',
  http: { method: 'POST', path: '/v1/vaults/{vault_id}/seal', status: 204 },
  access: { credential: 'key' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  errors: ['VAULT_NOT_FOUND'],
});

/** `dvak_id`: the delegated key that unsealed the vault; null for the master key. */
export class VaultUnsealing extends VaultAction {
  @Text({ max: 40, nullable: true }) dvak_id: string | null;
}

/** `seal_epoch`: the epoch that starts with this seal. Tokens and downloads of earlier epochs are invalid. */
export class VaultSealing extends VaultAction {
  @Int({ min: 0 }) seal_epoch: number;
}

export const vaultUnsealed = event({
  name: 'vaults.unsealed',
  payload: VaultUnsealing,
  consumers: ['reporting'],
});
export const vaultSealed = event({
  name: 'vaults.sealed',
  payload: VaultSealing,
  consumers: ['forge', 'reporting'],
});
