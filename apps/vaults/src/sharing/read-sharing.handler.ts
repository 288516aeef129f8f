import { Controller } from '@nestjs/common';
import type { Input, VaultContext } from '@vaultsvc/contracts';
import { readSharing, type IngotSharing } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { IngotFinder } from '../ingot/ingot-finder.js';
import { SharingReader } from './sharing-reader.js';

@Controller()
export class ReadSharing {
  constructor(
    private readonly ingots: IngotFinder,
    private readonly reader: SharingReader,
  ) {}

  @Handles(readSharing)
  async handle({ params }: Input<typeof readSharing>, context: VaultContext): Promise<IngotSharing> {
    const vault = { vaultId: params.vault_id, accountId: context.credential.accountId };
    const { ingotId } = await this.ingots.find(vault, params.ingot_id);
    const ingot = { ...vault, ingotId };
    const { link } = await this.reader.read(ingot, context);
    return this.reader.present(ingot, link);
  }
}
