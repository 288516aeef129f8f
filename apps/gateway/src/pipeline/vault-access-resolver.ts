import { Injectable } from '@nestjs/common';
import {
  AppError,
  idPattern,
  unknownVaultReason,
  validationError,
  type Access,
  type CallContext,
  type PublicOperation,
  type VaultAccess,
} from '@vaultsvc/contracts';
import { openVaultSession } from '@vaultsvc/contracts/vaults';
import { parseToken } from '@vaultsvc/crypto/tokens';
import { Bus } from '@vaultsvc/messaging';

const VAULT_ID = idPattern('vlt');
const VAT_CHARACTERS_MAX = 200;

/** Resolves Vault Access Tokens, after the role check and before the validation of a call (OPEN-61, AMB-13). */
@Injectable()
export class VaultAccessResolver {
  constructor(private readonly bus: Bus) {}

  /**
   * The access that vaults grants to the token; undefined for calls that need none (`vaultOfCall`). Throws the contract's error
   * for a missing token, the error of an unknown vault for a malformed vault id, else the error of vaults.
   */
  async resolve(
    operation: PublicOperation,
    header: string | string[] | undefined,
    vaultId: string | undefined,
    context: CallContext,
  ): Promise<VaultAccess | undefined> {
    const { access } = operation;
    if (!access.vat || vaultId === undefined) return undefined;
    const token = presentedToken(access, header);
    if (!VAULT_ID.test(vaultId)) throw new AppError(unknownVaultReason(operation));
    const body = { vault_id: vaultId, vat: token, level: access.vat };
    try {
      const { access_level: accessLevel } = await this.bus.call(openVaultSession, { body }, context);
      return { token, accessLevel };
    } catch (error) {
      throw isUnknown(error) && !parseToken('vat', token) ? new AppError('VAT_MALFORMED') : error;
    }
  }
}

/** Vaults refuses a malformed token like an unknown one. Its form is public, so the caller may know the difference. */
function isUnknown(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'AUTHENTICATION_ERROR';
}

function presentedToken({ vatMissing }: Access, header: string | string[] | undefined): string {
  if (vatMissing && (header === undefined || header === ''))
    throw validationError({ field: 'X-Vault-Access-Token', message: 'must be present' });
  if (header === undefined || header === '') throw new AppError('VAT_MISSING');
  if (typeof header !== 'string' || header.length > VAT_CHARACTERS_MAX) throw new AppError('VAT_MALFORMED');
  return header;
}
