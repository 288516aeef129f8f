import { Controller } from '@nestjs/common';
import type { CrmContext, Input, PanelContext } from '@vaultsvc/contracts';
import {
  listCrmaFiles,
  listCrmbFiles,
  listInPanel,
  type RecordFiles,
} from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { RecordFileClient } from './record-file-client.js';

/** Lists the files of a record (CRA-05): of the body's, or of the panel's. */
@Controller()
export class ListRecordFiles {
  constructor(private readonly files: RecordFileClient) {}

  @Handles(listCrmaFiles, listCrmbFiles)
  list({ body }: Input<typeof listCrmaFiles>, caller: CrmContext): Promise<RecordFiles> {
    return this.files.list(caller, body);
  }

  @Handles(listInPanel)
  listInPanel(_: Input<typeof listInPanel>, panel: PanelContext): Promise<RecordFiles> {
    return this.files.list(panel, panel.record);
  }
}
