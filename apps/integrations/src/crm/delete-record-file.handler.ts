import { Controller } from '@nestjs/common';
import type { CrmContext, Input, PanelContext } from '@vaultsvc/contracts';
import {
  deleteCrmaFile,
  deleteCrmbFile,
  deleteInPanel,
  type DeletedRecordFile,
} from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { RecordFileClient } from './record-file-client.js';

/** Deletes a file of a record (CRA-09). */
@Controller()
export class DeleteRecordFile {
  constructor(private readonly files: RecordFileClient) {}

  @Handles(deleteCrmaFile, deleteCrmbFile)
  delete({ body }: Input<typeof deleteCrmaFile>, caller: CrmContext): Promise<DeletedRecordFile> {
    return this.files.delete(caller, body);
  }

  @Handles(deleteInPanel)
  deleteInPanel({ body }: Input<typeof deleteInPanel>, panel: PanelContext): Promise<DeletedRecordFile> {
    return this.files.delete(panel, { ...panel.record, ...body });
  }
}
