import { actorOf } from '../core/actor-fields.js';
import { Actor, ExactActor } from '../core/actor.js';
import { Example } from '../core/example.js';
import { Cursor, EpochSeconds, Flag, IdOf, Int, ListOf, Name, OneOf, Text } from '../core/fields.js';
import type { AccountContext } from '../core/context.js';
import { event } from '../core/event.js';
import { operation } from '../core/operation.js';

/** Most characters of the name of a vault (VLT-01). */
export const VAULT_NAME_MAX = 200;
const VAULT_DESCRIPTION_MAX = 1_000;

/** `sealed` and `unsealed` are derived; `active` and `deleting` are stored (VLT-08, OPEN-12). */
export const vaultStatuses = ['active', 'deleting', 'sealed', 'unsealed'] as const;
export type VaultStatus = (typeof vaultStatuses)[number];

/** Path parameters of every operation on one vault. */
export class VaultParams {
  @IdOf('vlt') vault_id: string;
}

/** Errors of the vault and its Vault Access Token, of operations that read in a vault (OPEN-61). */
export const readErrors = ['VAULT_NOT_FOUND', 'VAT_EXPIRED', 'VAT_OUT_OF_SCOPE'] as const;
/** The same for operations that write in a vault. */
export const writeErrors = [...readErrors, 'VAT_READ_ONLY'] as const;

const descriptionField = { max: VAULT_DESCRIPTION_MAX, nullable: true } as const;

/** The warning in every reply that shows a key once. */
export const WarningText = () => Text({ max: 300 });

/** Body of `createVault`. */
@Example({ name: 'Contracts' })
export class NewVault {
  @Name({ max: VAULT_NAME_MAX, description: 'Unique in the account, without regard to case.' }) name: string;
}

/** A new vault with its master key. */
@Example({
  name: 'Contracts',
  vmk_warning:
    'Keep this key safe: it is the only one that opens the vault. It is stored nowhere and cannot be shown or recovered again.',
})
export class CreatedVault {
  @IdOf('vlt') vault_id: string;
  @Name({ max: VAULT_NAME_MAX }) name: string;
  @Text({ max: 100, description: 'The Vault Master Key. Returned only here and never stored.' })
  vmk: string;
  @WarningText() vmk_warning: string;
  @EpochSeconds() created_at: number;
}

/** Creates a vault and its Vault Master Key. */
export const createVault = operation({
  name: 'vaults.create',
  summary: 'Creates a vault. The reply contains its master key, which is shown once and cannot be recovered.',
  http: { method: 'POST', path: '/v1/vaults', status: 201 },
  idempotent: { id: 'vault_id', secrets: ['vmk'] },
  access: { credential: 'key' },
  body: NewVault,
  reply: CreatedVault,
  errors: ['VAULT_NAME_TAKEN'],
});

/** Query of `listVaults`. */
export class VaultQuery {
  @OneOf(vaultStatuses, {
    optional: true,
    description:
      'Only vaults with this stored status: active or deleting. No vault is stored as sealed or unsealed.',
  })
  status?: VaultStatus;

  @Int({ min: 1, max: 500, optional: true }) limit = 100;
  @Cursor() cursor?: string;
}

/** A vault as lists show it. */
@Example({ name: 'Contracts' })
export class VaultSummary {
  @IdOf('vlt') vault_id: string;
  @Name({ max: VAULT_NAME_MAX }) name: string;
  @OneOf(['sealed', 'deleting'], { description: 'Lists show an unsealed vault as sealed.' })
  status: 'sealed' | 'deleting';
  @Int({ min: 0 }) ingot_count: number;
  @Int({ min: 0 }) storage_bytes: number;
  @Int({ min: 0 }) total_access_count: number;
  @Int({ min: 0 }) total_bandwidth_bytes: number;
  @EpochSeconds() created_at: number;
}

/** A page of vaults. */
export class VaultPage {
  @ListOf(() => VaultSummary) vaults: VaultSummary[];
  @Int({ min: 0, description: 'Vaults on this page.' }) count: number;
  @Flag() has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
}

/** Lists the vaults of the account, newest first. */
export const listVaults = operation({
  name: 'vaults.list',
  summary:
    'Lists the vaults of the account, newest first. Without a status, vaults that are being deleted are left out.',
  http: { method: 'GET', path: '/v1/vaults', status: 200 },
  access: { credential: 'key' },
  query: VaultQuery,
  reply: VaultPage,
  cursor: 'next_cursor',
  repeatable: true,
});

/** A vault as it is read by its id. */
@Example({ name: 'Contracts', status: 'unsealed', created_by_user_id: null })
export class Vault {
  @IdOf('vlt') vault_id: string;
  @Name({ max: VAULT_NAME_MAX }) name: string;
  @Text(descriptionField) description: string | null;
  @OneOf(['sealed', 'unsealed'], { description: 'unsealed while at least one Vault Access Token is valid.' })
  status: 'sealed' | 'unsealed';
  @Flag({ description: 'Whether files of the vault may be shared.' }) public_file_sharing: boolean;
  @Int({ min: 0 }) ingot_count: number;
  @Int({ min: 0 }) storage_bytes: number;
  @Int({ min: 0 }) total_access_count: number;
  @Int({ min: 0 }) total_bandwidth_bytes: number;
  @EpochSeconds() created_at: number;
  @IdOf('usr', { nullable: true, description: 'null if an API key created the vault.' }) created_by_user_id:
    | string
    | null;
  @EpochSeconds({ nullable: true, description: 'null until the vault is first unsealed.' })
  last_unsealed_at: number | null;
  @Int({ min: 0 }) unseal_count: number;
}

/** Reads a vault. */
export const readVault = operation({
  name: 'vaults.read',
  summary: 'Reads a vault and whether it is sealed or unsealed now.',
  http: { method: 'GET', path: '/v1/vaults/{vault_id}', status: 200 },
  access: { credential: 'key' },
  callers: ['integrations'],
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  reply: Vault,
  errors: ['VAULT_NOT_FOUND'],
  repeatable: true,
});

/** Body of `updateVault`: at least one field. */
@Example({ description: 'Contracts of our customers' })
export class VaultChange {
  @Name({ max: VAULT_NAME_MAX, optional: true }) name?: string;
  @Text({ ...descriptionField, optional: true, description: 'null removes the description.' }) description?:
    | string
    | null;
  @Flag({
    optional: true,
    description: 'Whether files may be shared. Only admins, owners and API keys may set it.',
  })
  public_file_sharing?: boolean;
}

/** A vault after a change. */
@Example({ name: 'Contracts' })
export class UpdatedVault {
  @IdOf('vlt') vault_id: string;
  @Name({ max: VAULT_NAME_MAX }) name: string;
  @Text(descriptionField) description: string | null;
  @EpochSeconds() updated_at: number;
}

/** Changes name, description and sharing of a vault. */
export const updateVault = operation({
  name: 'vaults.update',
  summary: 'Changes the given fields of a vault; at least one is required.',
  http: { method: 'PUT', path: '/v1/vaults/{vault_id}', status: 200 },
  access: { credential: 'key' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  body: VaultChange,
  reply: UpdatedVault,
  errors: ['ROLE_REQUIRED', 'VAULT_NOT_FOUND', 'VAULT_NAME_TAKEN'],
});

/** A vault whose deletion has started. */
export class DeletedVault {
  @IdOf('vlt') vault_id: string;
  @OneOf(['deleting']) status: 'deleting';
}

/**
 * Deletes a vault. When the reply arrives its content is unreadable and its name is free; a job removes the rows and
 * bytes afterwards. Until then a repeated request gets the same reply, and 404 later (OPEN-12).
 */
export const deleteVault = operation({
  name: 'vaults.delete',
  summary:
    'Deletes a vault with its folders, ingots and audit log. The content is unreadable at once and removed soon after. The viewer seat may not.',
  http: { method: 'DELETE', path: '/v1/vaults/{vault_id}', status: 202 },
  access: { credential: 'key', seat: 'full' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  reply: DeletedVault,
  errors: ['VAULT_NOT_FOUND'],
});

/** Payload of events that a caller causes in a vault: ids only. All of them belong to the audit trail. */
export class VaultAction {
  @IdOf('vlt') vault_id: string;
  @IdOf('acc') account_id: string;
  @OneOf(['api_key', 'session']) actor_type: 'api_key' | 'session';
  @Text({ max: 64, description: 'The user, or the API key.' }) actor_id: string;
  @ExactActor() actor?: Actor;
}

/** The payload for an action of the caller in a vault. */
export function vaultActionOf(context: AccountContext, vaultId: string): VaultAction {
  return { vault_id: vaultId, account_id: context.credential.accountId, ...actorOf(context) };
}

/** Payload of `vaultDeleted`: what was removed, in figures. Publishers before these fields have none of them. */
export class VaultDeletion extends VaultAction {
  @Int({ min: 0, max: Number.MAX_SAFE_INTEGER, optional: true }) ingot_count?: number;
  @Int({ min: 0, max: Number.MAX_SAFE_INTEGER, optional: true }) folder_count?: number;
  @Int({ min: 0, max: Number.MAX_SAFE_INTEGER, optional: true, description: 'Keys that were active.' })
  dvak_count?: number;
  @Int({ min: 0, max: Number.MAX_SAFE_INTEGER, optional: true }) storage_bytes?: number;
}

/** Payload of `vaultRemoved`. It has no actor: a job removes the last row of a vault. */
export class VaultRemoval {
  @IdOf('vlt') vault_id: string;
  @IdOf('acc') account_id: string;
}

export const vaultCreated = event({ name: 'vaults.created', payload: VaultAction, consumers: ['reporting'] });
export const vaultUpdated = event({ name: 'vaults.updated', payload: VaultAction, consumers: ['reporting'] });
/** The content of the vault is unreadable; consumers delete their data about it. */
export const vaultDeleted = event({
  name: 'vaults.deleted',
  payload: VaultDeletion,
  consumers: ['forge', 'sparks', 'reporting'],
});
/** The last row of the vault is deleted. */
export const vaultRemoved = event({
  name: 'vaults.removed',
  payload: VaultRemoval,
  consumers: ['reporting'],
});
