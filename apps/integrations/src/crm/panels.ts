import { Injectable } from '@nestjs/common';
import { AppError, decode, type Class, type ProviderContext } from '@vaultsvc/contracts';
import type { OpenedPanel, ResolvedRecord } from '@vaultsvc/contracts/integrations';
import { parseObject } from '../chat/chat-webhook.js';
import { IntegrationsConfig } from '../config.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { AccountCalls } from '../webhooks/account-calls.js';
import type { CrmCaller, RecordKey } from './crm-caller.js';
import { PanelRepository, type Panel } from './panel.repository.js';
import { RecordFiles } from './record-files.js';

/**
 * Panels: pages in a frame of the CRM with the files of one record, for one person (OPEN-66). They end with the installation
 * for which they were opened.
 */
@Injectable()
export class Panels {
  constructor(
    private readonly config: IntegrationsConfig,
    private readonly repository: PanelRepository,
    private readonly installations: InstallationRepository,
    private readonly files: RecordFiles,
    private readonly calls: AccountCalls,
  ) {}

  /** The place of a record with the URL of a new panel. The ticket is in the fragment, which no server receives. */
  async resolve(caller: CrmCaller, { object_type, record_id }: RecordKey): Promise<ResolvedRecord> {
    const place = await this.files.place(caller, { object_type, record_id });
    const ticket = await this.repository.issue(caller, { object_type, record_id });
    const { appId } = caller.installation;
    return { ...place, panel_url: `${this.config.API_ORIGIN}/panel/${appId}#${ticket}` };
  }

  /** Throws AUTHENTICATION_ERROR for a ticket that is unknown, expired, used, or of an installation that has ended. */
  async open(appId: string, context: ProviderContext): Promise<OpenedPanel> {
    const ticket = bearerOf(context);
    const panel = await this.repository.findTicket(appId, ticket);
    if (!panel) throw new AppError('AUTHENTICATION_ERROR');
    await this.#callerOf(appId, panel, context); // may refuse it for now, and the ticket is still good
    const opened = await this.repository.open(appId, ticket);
    if (!opened) throw new AppError('AUTHENTICATION_ERROR');
    const { record, expiresAt } = opened.panel;
    return { token: opened.bearer, expires_at: expiresAt, ...record };
  }

  /** The record and the person of a request's bearer. Throws AUTHENTICATION_ERROR. */
  async identify(appId: string, context: ProviderContext): Promise<{ caller: CrmCaller; record: RecordKey }> {
    const panel = await this.repository.find(appId, bearerOf(context));
    if (!panel) throw new AppError('AUTHENTICATION_ERROR');
    return { caller: await this.#callerOf(appId, panel, context), record: panel.record };
  }

  async #callerOf(appId: string, panel: Panel, context: ProviderContext): Promise<CrmCaller> {
    const installation = await this.installations.find(panel.accountId, appId);
    if (!installation || installation.generation !== panel.generation || installation.vaultId === null)
      throw new AppError('AUTHENTICATION_ERROR');
    await this.calls.count(panel.accountId);
    const { requestId, deadlineMs } = context;
    const { vaultId } = installation;
    return { installation: { ...installation, vaultId }, userId: panel.userId, requestId, deadlineMs };
  }
}

function bearerOf({ signedRequest }: ProviderContext): string {
  const [, bearer = ''] = /^Bearer +(\S+) *$/i.exec(signedRequest.headers['authorization'] ?? '') ?? [];
  return bearer;
}

/** The body of a request of a panel. Throws VALIDATION_ERROR. */
export function readPanelBody<T extends object>(type: Class<T>, { raw }: { readonly raw: Buffer }): T {
  return decode(type, parseObject(raw.length === 0 ? '{}' : raw.toString('utf8')));
}
