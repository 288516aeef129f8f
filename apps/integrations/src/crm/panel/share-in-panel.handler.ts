import { Controller } from '@nestjs/common';
import type { Input, PanelContext } from '@vaultsvc/contracts';
import { shareInPanel } from '@vaultsvc/contracts/integrations';
import { createIngotLink, type CreatedIngotLink } from '@vaultsvc/contracts/vaults';
import { Bus, Handles } from '@vaultsvc/messaging';
import { RecordFileClient } from '../record-file-client.js';

/** Creates a one-time link of a file of the record, for somebody outside the CRM. */
@Controller()
export class ShareInPanel {
  constructor(
    private readonly files: RecordFileClient,
    private readonly bus: Bus,
  ) {}

  @Handles(shareInPanel)
  async handle({ body }: Input<typeof shareInPanel>, panel: PanelContext): Promise<CreatedIngotLink> {
    const { expires_in_seconds, ...file } = body;
    const { params, context } = await this.files.locate(panel, { ...panel.record, ...file }, 'write');
    return this.bus.call(createIngotLink, { params, body: { expires_in_seconds } }, context);
  }
}
