import { Controller } from '@nestjs/common';
import { AppError, type Input, type ProviderContext } from '@vaultsvc/contracts';
import {
  CrmRecord,
  deleteCrmaFile,
  downloadCrmaFile,
  listCrmaFiles,
  receiveCrmaEvents,
  RecordFileRequest,
  RecordUnsealing,
  resolveCrmaRecord,
  unsealCrmaVault,
  type CrmEventReceived,
} from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { textAt } from '../chat/chat-interaction.js';
import { InstallationChanges } from '../installations/installation-changes.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { CrmaRequests } from './crma-requests.js';
import { Panels } from './panels.js';
import { RecordFiles } from './record-files.js';

/** Requests that crma signs. */
@Controller()
export class Crma {
  constructor(
    private readonly requests: CrmaRequests,
    private readonly files: RecordFiles,
    private readonly panels: Panels,
    private readonly installations: InstallationRepository,
    private readonly changes: InstallationChanges,
  ) {}

  @Handles(resolveCrmaRecord)
  async resolve(input: Input<typeof resolveCrmaRecord>, context: ProviderContext) {
    const { caller, body } = await this.requests.read(CrmRecord, input, context);
    return this.panels.resolve(caller, body);
  }

  @Handles(listCrmaFiles)
  async list(input: Input<typeof listCrmaFiles>, context: ProviderContext) {
    const { caller, body } = await this.requests.read(CrmRecord, input, context);
    return this.files.list(caller, body);
  }

  @Handles(unsealCrmaVault)
  async unseal(input: Input<typeof unsealCrmaVault>, context: ProviderContext) {
    const { caller, body } = await this.requests.read(RecordUnsealing, input, context);
    return this.files.unseal(caller, body);
  }

  @Handles(downloadCrmaFile)
  async download(input: Input<typeof downloadCrmaFile>, context: ProviderContext) {
    const { caller, body } = await this.requests.read(RecordFileRequest, input, context);
    return this.files.download(caller, body);
  }

  @Handles(deleteCrmaFile)
  async delete(input: Input<typeof deleteCrmaFile>, context: ProviderContext) {
    const { caller, body } = await this.requests.read(RecordFileRequest, input, context);
    return this.files.delete(caller, body);
  }

  /** One event or a list. A repetition has no effect: an uninstallation is one by itself. */
  @Handles(receiveCrmaEvents)
  async receive(
    { raw }: Input<typeof receiveCrmaEvents>,
    context: ProviderContext,
  ): Promise<CrmEventReceived> {
    this.requests.verify(raw, context);
    const events = [parse(raw)].flat() as unknown[];
    const ends = events.filter((event) => eventType(event) === 'app.deauthorize');
    for (const portalId of new Set(ends.map(portalOf))) await this.#uninstall(portalId, context.requestId);
    return { received: true };
  }

  async #uninstall(portalId: string, requestId: string): Promise<void> {
    const installation = await this.installations.findConnected('crma', portalId);
    if (!installation) return;
    const { accountId } = installation;
    await this.changes
      .uninstall('crma', { provider: 'crma', accountId, requestId })
      .catch((error: unknown) => {
        if (!(error instanceof AppError) || error.reason !== 'APP_NOT_INSTALLED') throw error;
      });
  }
}

function parse(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch (error) {
    throw new AppError('MALFORMED_JSON', undefined, { cause: error });
  }
}

function eventType(event: unknown): string {
  return (
    textAt(event, 'eventType') ||
    textAt(event, 'subscriptionType') ||
    textAt(event, 'event') ||
    textAt(event, 'type')
  );
}

/** Portals are numbers in events. */
function portalOf(event: unknown): string {
  const { portalId, portal_id } = event as { portalId?: unknown; portal_id?: unknown };
  const id = portalId ?? portal_id;
  return typeof id === 'number' || typeof id === 'string' ? String(id) : '';
}
