import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { locateRecordFile, type LocatedRecordFile } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { accountOf } from '../folder/open-folder.handler.js';
import { IngotFinder } from '../ingot/ingot-finder.js';
import { VaultAuthorizer } from '../session/vault-authorizer.js';

@Controller()
export class LocateRecordFile {
  constructor(
    private readonly access: VaultAuthorizer,
    private readonly ingots: IngotFinder,
  ) {}

  @Handles(locateRecordFile)
  async handle({ body }: Input<typeof locateRecordFile>, context: CallContext): Promise<LocatedRecordFile> {
    const { vault_id: vaultId, vat, level, folder_id, reference } = body;
    const { accessLevel } = await this.access.verify({ vaultId, vat, level }, context);
    const { accountId } = accountOf(context).credential;
    const { ingotId } = await this.ingots.findInFolder({ vaultId, accountId }, folder_id, reference);
    return { ingot_id: ingotId, access_level: accessLevel };
  }
}
