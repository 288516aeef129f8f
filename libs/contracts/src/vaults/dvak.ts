import { event } from '../core/event.js';
import { Example } from '../core/example.js';
import { Cursor, EpochSeconds, Flag, IdOf, Int, ListOf, Name, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { VaultAction, VaultParams, WarningText } from './vault.js';

const NHI_DESCRIPTION_MAX = 255;

const dvakTypes = ['user', 'nhi', 'system'] as const;
const systemPurposes = ['sharing', 'upload_portal', 'upload_widget', 'messaging'] as const;
const accessLevels = ['read', 'read_write'] as const;

/** Path parameters of a delegated vault access key (DVAK). */
export class DvakParams {
  @IdOf('vlt') vault_id: string;
  // Any length passes here: a value that is not four characters long is a VALIDATION_ERROR (DVK-18), not an unknown key.
  @Text({ max: 65_536, raw: true, description: 'The last four characters of the key.' }) last4: string;
}

/** The fields of a key for a program, in examples. */
const EXAMPLE_GRANT = {
  dvak_type: 'nhi',
  authorized_user_id: null,
  authorized_user_email: null,
  nhi_description: 'Backup job',
  access_level: 'read',
};

/** A delegated key without its secret. */
@Example({ ...EXAMPLE_GRANT, system_purpose: null })
export class Dvak {
  @OneOf(dvakTypes) dvak_type: (typeof dvakTypes)[number];
  @IdOf('usr', { nullable: true }) authorized_user_id: string | null;
  @Text({ max: 254, nullable: true }) authorized_user_email: string | null;
  @Text({ max: NHI_DESCRIPTION_MAX, nullable: true }) nhi_description: string | null;
  @OneOf(systemPurposes, {
    nullable: true,
    description: 'The purpose of a key that the platform itself uses.',
  })
  system_purpose: (typeof systemPurposes)[number] | null;
  @OneOf(accessLevels, { nullable: true, description: 'null: a legacy key, which may read and write.' })
  access_level: (typeof accessLevels)[number] | null;
  @Text({ max: 4 }) last_4_chars: string;
  @OneOf(['active', 'revoked']) status: 'active' | 'revoked';
  @EpochSeconds() created_at: number;
  @EpochSeconds({ nullable: true, description: 'null until the first use.' }) last_used_at: number | null;
  @Int({ min: 0 }) use_count: number;
}

const optional = { optional: true, nullable: true } as const;

/** Body of `createDvak`. */
@Example({ dvak_type: 'nhi', nhi_description: 'Backup job', access_level: 'read' })
export class NewDvak {
  @Text({ max: 200, description: 'The Vault Master Key.' }) vmk: string;
  @OneOf(['user', 'nhi'], { optional: true, description: 'user: for a person; nhi: for a program.' })
  dvak_type: 'user' | 'nhi' = 'user';
  @IdOf('usr', { ...optional, description: 'Keys of type user: the only person who may use the key.' })
  authorized_user_id?: string | null;
  @Name({ ...optional, max: NHI_DESCRIPTION_MAX, description: 'Keys of type nhi: the purpose of the key.' })
  nhi_description?: string | null;
  @OneOf(accessLevels, { optional: true }) access_level: 'read' | 'read_write' = 'read_write';
}

/** A new delegated key with its secret. */
@Example({
  ...EXAMPLE_GRANT,
  warning: 'Keep this key safe: it opens the vault. It is stored nowhere and is not shown again.',
})
export class CreatedDvak {
  @Text({ max: 100, description: 'The delegated key. Returned only here.' }) dvak_token: string;
  @OneOf(['user', 'nhi']) dvak_type: 'user' | 'nhi';
  @IdOf('usr', { nullable: true }) authorized_user_id: string | null;
  @Text({ max: 254, nullable: true }) authorized_user_email: string | null;
  @Text({ max: NHI_DESCRIPTION_MAX, nullable: true }) nhi_description: string | null;
  @OneOf(accessLevels, { description: 'The granted level: always read if the caller has a viewer seat.' })
  access_level: 'read' | 'read_write';
  @Text({ max: 4 }) last_4_chars: string;
  @EpochSeconds() created_at: number;
  @WarningText() warning: string;
}

/** Creates a delegated key. */
export const createDvak = operation({
  name: 'vaults.create-dvak',
  summary: 'Creates a delegated key for a vault: a revocable key for one user or for a program.',
  http: { method: 'POST', path: '/v1/vaults/{vault_id}/dvaks', status: 201 },
  idempotent: { id: 'last_4_chars', secrets: ['dvak_token'] },
  access: { credential: 'key', role: 'admin' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  body: NewDvak,
  reply: CreatedDvak,
  errors: ['VAULT_NOT_FOUND', 'VAULT_KEY_WRONG'],
});

/** Query of `listDvaks`. */
export class DvakQuery {
  @OneOf(['active', 'revoked'], { optional: true, description: 'Only keys of this status.' })
  status?: 'active' | 'revoked';
  @Int({ min: 1, max: 100, optional: true }) limit = 25;
  @Cursor() cursor?: string;
}

/** A page of delegated keys. */
@Example({ cursor: null })
export class DvakPage {
  @ListOf(() => Dvak) dvaks: Dvak[];
  @Flag() has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
  @Text({ max: 2_048, nullable: true, olderNameOf: 'next_cursor', description: 'null on the last page.' })
  cursor: string | null;
}

/** Lists the delegated keys of a vault. */
export const listDvaks = operation({
  name: 'vaults.list-dvaks',
  summary: 'Lists the delegated keys of a vault, newest first, including revoked ones.',
  http: { method: 'GET', path: '/v1/vaults/{vault_id}/dvaks', status: 200 },
  access: { credential: 'key', role: 'admin' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  query: DvakQuery,
  reply: DvakPage,
  errors: ['VAULT_NOT_FOUND'],
  cursor: 'cursor',
  repeatable: true,
});

/** A revoked delegated key. */
export class RevokedDvak {
  @Text({ max: 4 }) last_4_chars: string;
  @OneOf(['revoked']) status: 'revoked';
  @EpochSeconds() revoked_at: number;
}

/** Revokes a delegated key. The key and its Vault Access Tokens are invalid when the reply arrives (DVK-19). */
export const revokeDvak = operation({
  name: 'vaults.revoke-dvak',
  summary: 'Revokes a delegated key and the Vault Access Tokens that were issued for it, at once.',
  http: { method: 'DELETE', path: '/v1/vaults/{vault_id}/dvaks/{last4}', status: 200 },
  access: { credential: 'key', role: 'admin' },
  params: DvakParams,
  unknown: 'VAULT_NOT_FOUND',
  reply: RevokedDvak,
  errors: ['VALIDATION_ERROR', 'VAULT_NOT_FOUND', 'DVAK_NOT_FOUND', 'DVAK_REVOKED'],
});

/** Payload of events of a delegated key. */
export class DvakAction extends VaultAction {
  @Text({ max: 40 }) dvak_id: string;
}

export const dvakCreated = event({
  name: 'vaults.dvak-created',
  payload: DvakAction,
  consumers: ['reporting'],
});
/** Also published when the key's user is removed; the actor is then the caller who removed the user. */
export const dvakRevoked = event({
  name: 'vaults.dvak-revoked',
  payload: DvakAction,
  consumers: ['forge', 'reporting'],
});
export const dvakUsed = event({ name: 'vaults.dvak-used', payload: DvakAction, consumers: ['reporting'] });
