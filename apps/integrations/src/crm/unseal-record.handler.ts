import { Controller } from '@nestjs/common';
import type { CrmContext, Input, PanelContext } from '@vaultsvc/contracts';
import {
  PANEL_SECONDS,
  unsealCrmaVault,
  unsealCrmbVault,
  unsealInPanel,
  type RecordAccess,
} from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { RecordFileClient } from './record-file-client.js';

/** Opens the vault of an installation for one person (CRA-06); in a panel for as long as the panel works. */
@Controller()
export class UnsealRecord {
  constructor(private readonly files: RecordFileClient) {}

  @Handles(unsealCrmaVault, unsealCrmbVault)
  unseal({ body }: Input<typeof unsealCrmaVault>, caller: CrmContext): Promise<RecordAccess> {
    return this.files.unseal(caller, body);
  }

  @Handles(unsealInPanel)
  unsealInPanel({ body }: Input<typeof unsealInPanel>, panel: PanelContext): Promise<RecordAccess> {
    return this.files.unseal(panel, { ...body, ttl_seconds: PANEL_SECONDS });
  }
}
