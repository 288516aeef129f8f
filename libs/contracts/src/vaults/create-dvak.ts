import { EpochSeconds, IdOf, Name, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { accessLevels, NHI_DESCRIPTION_MAX } from './dvak.js';
import { VaultParams, WarningText } from './vault.js';

const optional = { optional: true, nullable: true } as const;

export class NewDvak {
  @Text({ max: 200, description: 'The Vault Master Key.' }) vmk: string;
  @OneOf(['user', 'nhi'], { optional: true, description: 'For a person, or for a program.' })
  dvak_type: 'user' | 'nhi' = 'user';
  @IdOf('usr', { ...optional, description: 'Keys of users: the only person who may use it.' })
  authorized_user_id?: string | null;
  @Name({ ...optional, max: NHI_DESCRIPTION_MAX, description: 'Keys of programs: what it is for.' })
  nhi_description?: string | null;
  @OneOf(accessLevels, { optional: true }) access_level: 'read' | 'read_write' = 'read_write';
}

export class CreatedDvak {
  @Text({ max: 100, description: 'The delegated key. It is shown here and never again.' }) dvak_token: string;
  @OneOf(['user', 'nhi']) dvak_type: 'user' | 'nhi';
  @IdOf('usr', { nullable: true }) authorized_user_id: string | null;
  @Text({ max: 254, nullable: true }) authorized_user_email: string | null;
  @Text({ max: NHI_DESCRIPTION_MAX, nullable: true }) nhi_description: string | null;
  @OneOf(accessLevels, { description: 'As granted: people with a viewer seat grant read only.' })
  access_level: 'read' | 'read_write';
  @Text({ max: 4 }) last_4_chars: string;
  @EpochSeconds() created_at: number;
  @WarningText() warning: string;
}

export const createDvak = operation({
  name: 'vaults.create-dvak',
  summary: 'Delegates access to a vault: a key that can be revoked, for one user or for a program.',
  http: { method: 'POST', path: '/v1/vaults/{vault_id}/dvaks', status: 201 },
  access: { credential: 'key', role: 'admin' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  body: NewDvak,
  reply: CreatedDvak,
  errors: ['VAULT_NOT_FOUND', 'VAULT_KEY_WRONG'],
});
