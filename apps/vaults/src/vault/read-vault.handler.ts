import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { readVault, type Vault } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { VaultRepository } from './vault.repository.js';

@Controller()
export class ReadVault {
  constructor(private readonly vaults: VaultRepository) {}

  @Handles(readVault)
  async handle({ params }: Input<typeof readVault>, context: AccountContext): Promise<Vault> {
    return this.vaults.read({ vaultId: params.vault_id, accountId: context.credential.accountId });
  }
}
