import { Controller } from '@nestjs/common';
import type { CrmContext, Input, PanelContext } from '@vaultsvc/contracts';
import {
  downloadCrmaFile,
  downloadCrmbFile,
  downloadInPanel,
  type RecordDownload,
} from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { RecordFileClient } from './record-file-client.js';

/** Issues a download URL for a file of a record (CRA-07). */
@Controller()
export class DownloadRecordFile {
  constructor(private readonly files: RecordFileClient) {}

  @Handles(downloadCrmaFile, downloadCrmbFile)
  download({ body }: Input<typeof downloadCrmaFile>, caller: CrmContext): Promise<RecordDownload> {
    return this.files.download(caller, body);
  }

  @Handles(downloadInPanel)
  downloadInPanel({ body }: Input<typeof downloadInPanel>, panel: PanelContext): Promise<RecordDownload> {
    return this.files.download(panel, { ...panel.record, ...body });
  }
}
