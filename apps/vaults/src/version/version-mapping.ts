import type { VersionRef } from '@vaultsvc/contracts/vaults';
import type { FileIds } from '@vaultsvc/crypto/container';

/** A version as messages name it. */
export function refOf({ accountId, vaultId, ingotId, versionId }: FileIds): VersionRef {
  return { account_id: accountId, vault_id: vaultId, ingot_id: ingotId, version_id: versionId };
}

/** The version that a message names. */
export function idsOf({ account_id, vault_id, ingot_id, version_id }: VersionRef): FileIds {
  return { accountId: account_id, vaultId: vault_id, ingotId: ingot_id, versionId: version_id };
}

/** Who an event of a version is told for. */
export interface Origin {
  readonly requestId: string | null;
  readonly accountId: string;
}
