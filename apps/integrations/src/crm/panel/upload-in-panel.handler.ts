import { Controller } from '@nestjs/common';
import type { Input, PanelContext } from '@vaultsvc/contracts';
import { uploadInPanel } from '@vaultsvc/contracts/integrations';
import { createIngot, type IngotUpload } from '@vaultsvc/contracts/vaults';
import { Bus, Handles } from '@vaultsvc/messaging';
import { RecordFileClient } from '../record-file-client.js';

/** Opens an upload to the record of a panel; a file of the record with this name gets new content. */
@Controller()
export class UploadInPanel {
  constructor(
    private readonly files: RecordFileClient,
    private readonly bus: Bus,
  ) {}

  @Handles(uploadInPanel)
  async handle({ body }: Input<typeof uploadInPanel>, panel: PanelContext): Promise<IngotUpload> {
    const { vat, ...file } = body;
    const opened = await this.files.withPools(await this.files.openSession(panel, vat, 'write'));
    const { vault_id, folder_id } = await this.files.place(panel, panel.record);
    return this.bus.call(createIngot, { params: { vault_id }, body: { ...file, folder_id } }, opened);
  }
}
