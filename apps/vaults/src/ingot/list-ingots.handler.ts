import { Controller } from '@nestjs/common';
import type { Input, VaultContext } from '@vaultsvc/contracts';
import { listIngots, type IngotList } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { VaultRepository } from '../vault/vault.repository.js';
import { IngotRepository } from './ingot.repository.js';

@Controller()
export class ListIngots {
  constructor(
    private readonly vaults: VaultRepository,
    private readonly ingots: IngotRepository,
  ) {}

  @Handles(listIngots)
  async handle({ params, query }: Input<typeof listIngots>, context: VaultContext): Promise<IngotList> {
    const { vault_id: vaultId } = params;
    await this.vaults.assertKnown({ vaultId, accountId: context.credential.accountId });
    const ingots = await this.ingots.list(vaultId, query);
    return { ingots, count: ingots.length };
  }
}
