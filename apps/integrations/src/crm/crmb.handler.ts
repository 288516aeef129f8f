import { Controller } from '@nestjs/common';
import { AppError, type Input, type ProviderContext } from '@vaultsvc/contracts';
import {
  CrmRecord,
  deleteCrmbFile,
  downloadCrmbFile,
  listCrmbFiles,
  prepareCrmbUpload,
  receiveCrmbEvents,
  RecordFileRequest,
  RecordUnsealing,
  resolveCrmbRecord,
  unsealCrmbVault,
  UploadContextRequest,
  type CrmEventReceived,
} from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { textAt } from '../chat/chat-interaction.js';
import { parseObject } from '../chat/chat-webhook.js';
import { InstallationChanges } from '../installations/installation-changes.js';
import { CrmbRequests, orgIn } from './crmb-requests.js';
import { Panels } from './panels.js';
import { RecordFiles } from './record-files.js';

/** Requests with a session of crmb. */
@Controller()
export class Crmb {
  constructor(
    private readonly requests: CrmbRequests,
    private readonly files: RecordFiles,
    private readonly panels: Panels,
    private readonly changes: InstallationChanges,
  ) {}

  @Handles(resolveCrmbRecord)
  async resolve(input: Input<typeof resolveCrmbRecord>, context: ProviderContext) {
    const { caller, body } = await this.requests.read(CrmRecord, input, context);
    return this.panels.resolve(caller, body);
  }

  @Handles(listCrmbFiles)
  async list(input: Input<typeof listCrmbFiles>, context: ProviderContext) {
    const { caller, body } = await this.requests.read(CrmRecord, input, context);
    return this.files.list(caller, body);
  }

  @Handles(unsealCrmbVault)
  async unseal(input: Input<typeof unsealCrmbVault>, context: ProviderContext) {
    const { caller, body } = await this.requests.read(RecordUnsealing, input, context);
    return this.files.unseal(caller, body);
  }

  @Handles(downloadCrmbFile)
  async download(input: Input<typeof downloadCrmbFile>, context: ProviderContext) {
    const { caller, body } = await this.requests.read(RecordFileRequest, input, context);
    return this.files.download(caller, body);
  }

  @Handles(deleteCrmbFile)
  async delete(input: Input<typeof deleteCrmbFile>, context: ProviderContext) {
    const { caller, body } = await this.requests.read(RecordFileRequest, input, context);
    return this.files.delete(caller, body);
  }

  @Handles(prepareCrmbUpload)
  async prepareUpload(input: Input<typeof prepareCrmbUpload>, context: ProviderContext) {
    const { caller, body } = await this.requests.read(UploadContextRequest, input, context);
    return this.files.prepareUpload(caller, body);
  }

  /** The org that is uninstalled is that of the session; a body that names another one is refused. */
  @Handles(receiveCrmbEvents)
  async receive(
    { raw }: Input<typeof receiveCrmbEvents>,
    context: ProviderContext,
  ): Promise<CrmEventReceived> {
    const claimed = orgIn(raw);
    const { session, installation } = await this.requests.verify(context, claimed);
    const event = parseObject(raw.toString('utf8'));
    if (claimed !== undefined && claimed !== session.orgId) throw new AppError('AUTHENTICATION_ERROR');
    if ((textAt(event, 'event') || textAt(event, 'type')) === 'app.uninstall') {
      const { accountId } = installation;
      await this.changes.uninstall('crmb', { provider: 'crmb', accountId, requestId: context.requestId });
    }
    return { received: true };
  }
}
