import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { listVaults, type VaultPage } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { VaultRepository } from './vault.repository.js';

@Controller()
export class ListVaults {
  constructor(private readonly vaults: VaultRepository) {}

  @Handles(listVaults)
  async handle({ query }: Input<typeof listVaults>, context: AccountContext): Promise<VaultPage> {
    const { rows, ...page } = await this.vaults.list(context.credential.accountId, query);
    return { vaults: [...rows], ...page };
  }
}
