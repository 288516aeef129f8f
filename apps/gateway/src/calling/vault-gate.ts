import { Inject, Injectable } from '@nestjs/common';
import { AppError, idPattern, type CallContext, type PublicOperation } from '@vaultsvc/contracts';
import { openVaultSession } from '@vaultsvc/contracts/vaults';
import { Bus } from '@vaultsvc/messaging';

const VAULT_ID = idPattern('vlt');
const VAT_LETTERS_MAX = 200;

/** The stage between role check and validation of operations with `vat` (OPEN-61, AMB-13). */
@Injectable()
export class VaultGate {
  constructor(@Inject(Bus) private readonly bus: Bus) {}

  /** Throws AUTHENTICATION_ERROR without a token, the operation's unknown reason for no vault id, else what vaults says. */
  async pass(
    { access, unknown }: PublicOperation,
    vat: unknown,
    vaultId: string | undefined,
    context: CallContext,
  ): Promise<void> {
    if (!access.vat) return;
    if (typeof vat !== 'string' || vat === '' || vat.length > VAT_LETTERS_MAX)
      throw new AppError('AUTHENTICATION_ERROR');
    if (vaultId === undefined || !VAULT_ID.test(vaultId))
      throw new AppError(unknown === 'no-content' ? 'NOT_FOUND' : (unknown ?? 'NOT_FOUND'));
    await this.bus.call(openVaultSession, { body: { vault_id: vaultId, vat, level: access.vat } }, context);
  }
}
