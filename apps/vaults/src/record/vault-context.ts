import type { CallContext, VaultContext } from '@vaultsvc/contracts';
import type { RecordFileAccess } from '@vaultsvc/contracts/vaults';
import { accountOf } from '../folder/open-folder.handler.js';

/**
 * The context of a call with the token that an integration has put into the body. The level is the one that the operation
 * needs; `VaultAuthorizer` refuses a token that lacks it.
 */
export function vaultContextOf(
  context: CallContext,
  { vat }: RecordFileAccess,
  accessLevel: 'read' | 'read_write',
): VaultContext {
  return { ...accountOf(context), vault: { token: vat, accessLevel } };
}
