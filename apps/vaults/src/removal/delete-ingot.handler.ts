import { Controller } from '@nestjs/common';
import type { Input, VaultContext } from '@vaultsvc/contracts';
import { deleteIngot } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { IngotFinder } from '../ingot/ingot-finder.js';
import { IngotRemover } from './ingot-remover.js';

@Controller()
export class DeleteIngot {
  constructor(
    private readonly finder: IngotFinder,
    private readonly remover: IngotRemover,
  ) {}

  @Handles(deleteIngot)
  async handle({ params }: Input<typeof deleteIngot>, context: VaultContext): Promise<void> {
    const { vault_id, ingot_id } = params;
    await this.remover.remove({ vault_id, find: (vault) => this.finder.find(vault, ingot_id) }, context);
  }
}
