import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { deleteRecordFile, type RemovedRecordFile } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { IngotFinder } from '../ingot/ingot-finder.js';
import { IngotRemover } from '../removal/ingot-remover.js';
import { vaultContextOf } from './vault-context.js';

@Controller()
export class DeleteRecordFile {
  constructor(
    private readonly ingots: IngotFinder,
    private readonly remover: IngotRemover,
  ) {}

  @Handles(deleteRecordFile)
  async handle({ body }: Input<typeof deleteRecordFile>, context: CallContext): Promise<RemovedRecordFile> {
    const { vault_id, folder_id, reference } = body;
    const ingot_id = await this.remover.remove(
      { vault_id, find: (vault) => this.ingots.findInFolder(vault, folder_id, reference) },
      vaultContextOf(context, body, 'read_write'),
    );
    return { ingot_id };
  }
}
