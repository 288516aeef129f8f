import { Controller } from '@nestjs/common';
import type { Input, VaultContext } from '@vaultsvc/contracts';
import { readIngot, type IngotMetadata } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { IngotFinder } from './ingot-finder.js';
import { IngotRepository } from './ingot.repository.js';

@Controller()
export class ReadIngot {
  constructor(
    private readonly finder: IngotFinder,
    private readonly ingots: IngotRepository,
  ) {}

  @Handles(readIngot)
  async handle({ params }: Input<typeof readIngot>, context: VaultContext): Promise<IngotMetadata> {
    const vault = { vaultId: params.vault_id, accountId: context.credential.accountId };
    const { ingotId } = await this.finder.find(vault, params.ingot_id);
    return this.ingots.read(vault, ingotId);
  }
}
