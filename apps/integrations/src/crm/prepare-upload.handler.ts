import { Controller } from '@nestjs/common';
import type { CrmContext, Input } from '@vaultsvc/contracts';
import { prepareCrmbUpload, type UploadContext } from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { RecordFileClient } from './record-file-client.js';

/** Returns what an upload to a record of crmb needs (CRB-03). */
@Controller()
export class PrepareUpload {
  constructor(private readonly files: RecordFileClient) {}

  @Handles(prepareCrmbUpload)
  handle({ body }: Input<typeof prepareCrmbUpload>, caller: CrmContext): Promise<UploadContext> {
    return this.files.prepareUpload(caller, body);
  }
}
