import { Controller } from '@nestjs/common';
import { type AccountContext, AppError, assertAdmin, type Input, validationError } from '@vaultsvc/contracts';
import { type RevokedDvak, revokeDvak } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { VaultRepository } from '../vault/vault.repository.js';
import { DvakRevoker } from './dvak-revoker.js';

@Controller()
export class RevokeDvak {
  constructor(
    private readonly vaults: VaultRepository,
    private readonly revoker: DvakRevoker,
  ) {}

  @Handles(revokeDvak)
  async handle({ params }: Input<typeof revokeDvak>, context: AccountContext): Promise<RevokedDvak> {
    assertAdmin(context);
    const { vault_id: vaultId, last4 } = params;
    await this.vaults.assertKnown({ vaultId, accountId: context.credential.accountId });
    assertLastFour(last4);
    const revoked_at = await this.revoker.revoke({ vaultId, last4 }, context);
    return { last_4_chars: last4, status: 'revoked', revoked_at };
  }
}

function assertLastFour(last4: string): void {
  if ([...last4].length !== 4)
    throw validationError({ field: 'last4', message: 'last4 must have exactly 4 characters' });
  // All keys end in these characters, and PostgreSQL rejects NUL in text.
  if (!/^[0-9A-Za-z]{4}$/.test(last4)) throw new AppError('DVAK_NOT_FOUND');
}
