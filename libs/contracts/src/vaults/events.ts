import { event } from '../core/event.js';
import { IdOf, Int, OneOf, Text } from '../core/fields.js';

/** Who did what to which vault: ids alone. Every event of a caller is for the audit trail. */
export class VaultAction {
  @IdOf('vlt') vault_id: string;
  @IdOf('acc') account_id: string;
  @OneOf(['api_key', 'session']) actor_type: 'api_key' | 'session';
  @Text({ max: 64, description: 'The user, or the API key.' }) actor_id: string;
}

/** `dvak_id` is the delegated key that did it; null: the master key. */
export class VaultUnsealing extends VaultAction {
  @Text({ max: 40, nullable: true }) dvak_id: string | null;
}

/** `seal_epoch` begins with it: what was minted in an earlier one is dead. */
export class VaultSealing extends VaultAction {
  @Int({ min: 0 }) seal_epoch: number;
}

export class DvakAction extends VaultAction {
  @Text({ max: 40 }) dvak_id: string;
}

/** Nobody does it: a job that finds nothing left of a vault. */
export class VaultRemoval {
  @IdOf('vlt') vault_id: string;
  @IdOf('acc') account_id: string;
}

export const vaultCreated = event({ name: 'vaults.created', payload: VaultAction, consumers: [] });
export const vaultUpdated = event({ name: 'vaults.updated', payload: VaultAction, consumers: [] });
export const vaultUnsealed = event({ name: 'vaults.unsealed', payload: VaultUnsealing, consumers: [] });
export const vaultSealed = event({ name: 'vaults.sealed', payload: VaultSealing, consumers: ['forge'] });
/** Nothing of the vault can be read any more; who keeps anything about it lets it go. */
export const vaultDeleted = event({
  name: 'vaults.deleted',
  payload: VaultAction,
  consumers: ['forge', 'sparks'],
});
/** Its last row is gone. */
export const vaultRemoved = event({ name: 'vaults.removed', payload: VaultRemoval, consumers: [] });
export const dvakCreated = event({ name: 'vaults.dvak-created', payload: DvakAction, consumers: [] });
/** Also when the user of the key was removed; the actor is then whoever removed them. */
export const dvakRevoked = event({ name: 'vaults.dvak-revoked', payload: DvakAction, consumers: ['forge'] });
export const dvakUsed = event({ name: 'vaults.dvak-used', payload: DvakAction, consumers: [] });
