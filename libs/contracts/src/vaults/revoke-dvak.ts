import { EpochSeconds, IdOf, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

export class DvakParams {
  @IdOf('vlt') vault_id: string;
  // Of any length: what is not four characters is a mistake of the caller (DVK-18), not an unknown key.
  @Text({ max: 65_536, raw: true, description: 'The last four characters of the key.' }) last4: string;
}

export class RevokedDvak {
  @Text({ max: 4 }) last_4_chars: string;
  @OneOf(['revoked']) status: 'revoked';
  @EpochSeconds() revoked_at: number;
}

/** The key and every Vault Access Token that it minted are dead when this is answered (DVK-19). */
export const revokeDvak = operation({
  name: 'vaults.revoke-dvak',
  summary: 'Revokes a delegated key and the Vault Access Tokens that it opened, at once.',
  http: { method: 'DELETE', path: '/v1/vaults/{vault_id}/dvaks/{last4}', status: 200 },
  access: { credential: 'key', role: 'admin' },
  params: DvakParams,
  unknown: 'VAULT_NOT_FOUND',
  reply: RevokedDvak,
  errors: ['VALIDATION_ERROR', 'VAULT_NOT_FOUND', 'DVAK_NOT_FOUND', 'DVAK_REVOKED'],
});
