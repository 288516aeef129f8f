import { Injectable } from '@nestjs/common';
import {
  AppError,
  idPattern,
  validationError,
  type Access,
  type CallContext,
  type PublicOperation,
  type VaultAccess,
} from '@vaultsvc/contracts';
import { openVaultSession } from '@vaultsvc/contracts/vaults';
import { Bus } from '@vaultsvc/messaging';

const VAULT_ID = idPattern('vlt');
const VAT_LETTERS_MAX = 200;

/** The stage between role check and validation of operations with `vat` (OPEN-61, AMB-13). */
@Injectable()
export class VaultGate {
  constructor(private readonly bus: Bus) {}

  /**
   * What the token opens; nothing for operations without `vat`. Throws what the contract says of a missing token, the
   * operation's unknown reason for what cannot be a vault id, else what vaults says.
   */
  async open(
    { access, unknown }: PublicOperation,
    header: string | string[] | undefined,
    vaultId: string | undefined,
    context: CallContext,
  ): Promise<VaultAccess | undefined> {
    if (!access.vat) return undefined;
    const token = presentedToken(access, header);
    if (vaultId === undefined || !VAULT_ID.test(vaultId))
      throw new AppError(unknown === 'no-content' ? 'NOT_FOUND' : (unknown ?? 'NOT_FOUND'));
    const question = { vault_id: vaultId, vat: token, level: access.vat };
    const { access_level: accessLevel } = await this.bus.call(openVaultSession, { body: question }, context);
    return { token, accessLevel };
  }
}

function presentedToken({ vatMissing }: Access, header: string | string[] | undefined): string {
  if (vatMissing && (header === undefined || header === ''))
    throw validationError({ field: 'X-Vault-Access-Token', message: 'must be present' });
  if (typeof header !== 'string' || header === '' || header.length > VAT_LETTERS_MAX)
    throw new AppError('AUTHENTICATION_ERROR');
  return header;
}
