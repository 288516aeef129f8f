import { AppError, type AccountContext } from '@vaultsvc/contracts';
import type { VaultAction } from '@vaultsvc/contracts/vaults';

/** 403 unless the caller is an admin, an owner or an API key, whose role is admin (AMB-17). */
export function assertAdmin({ credential }: AccountContext): void {
  if (credential.role === 'member') throw new AppError('ROLE_REQUIRED');
}

/** What the caller did to a vault, as events tell it. */
export function actionOf({ credential }: AccountContext, vaultId: string): VaultAction {
  return {
    vault_id: vaultId,
    account_id: credential.accountId,
    actor_type: credential.kind,
    actor_id: credential.userId ?? credential.credentialId,
  };
}
