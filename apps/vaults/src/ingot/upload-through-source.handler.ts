import { Controller } from '@nestjs/common';
import { AppError, type AccountContext, type Input } from '@vaultsvc/contracts';
import { uploadThroughSource } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { VaultRepository } from '../vault/vault.repository.js';

/** The portal and the widget of every vault are disabled (OPEN-24, ENV-31). */
@Controller()
export class UploadThroughSource {
  constructor(private readonly vaults: VaultRepository) {}

  @Handles(uploadThroughSource)
  async handle({ params }: Input<typeof uploadThroughSource>, context: AccountContext): Promise<never> {
    await this.vaults.assertKnown({ vaultId: params.vault_id, accountId: context.credential.accountId });
    throw new AppError('UPLOAD_SOURCE_DISABLED');
  }
}
