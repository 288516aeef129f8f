import { Injectable } from '@nestjs/common';
import { AppError, decode, parseObject, type PanelContext } from '@vaultsvc/contracts';
import { ProviderGuard, type AdmittedRequest, type ProviderRequest } from '@vaultsvc/messaging';
import { PanelRepository } from '../crm/panel/panel.repository.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { AccountCalls } from './account-calls.js';
import { bearerOf } from './bearer.js';

/** Verifies requests of panels: the row of the bearer names installation, person and record (OPEN-66). */
@Injectable()
export class PanelGuard extends ProviderGuard {
  override readonly providers = ['panel'] as const;

  constructor(
    private readonly panels: PanelRepository,
    private readonly installations: InstallationRepository,
    private readonly calls: AccountCalls,
  ) {
    super();
  }

  override async admit({ op, params, raw, context }: ProviderRequest): Promise<AdmittedRequest> {
    const { app_id: appId } = params as { readonly app_id: string };
    const bearer = bearerOf(context);
    const isTicket = op.access.provider === 'panel' && op.access.ticket === true;
    const panel = await (isTicket ? this.panels.findTicket(appId, bearer) : this.panels.find(appId, bearer));
    if (!panel) throw new AppError('AUTHENTICATION_ERROR');
    const { accountId, generation, userId, record } = panel;
    await this.calls.count(accountId);
    const installation = await this.installations.find(accountId, appId);
    if (!installation || installation.generation !== generation || installation.vaultId === null)
      throw new AppError('VERIFIED_REQUEST_REFUSED');
    if (installation.isSuspended) throw new AppError('APP_SUSPENDED');
    const { vaultId } = installation;
    const admitted: PanelContext = {
      ...context,
      installation: { ...installation, vaultId },
      userId,
      record,
      bearer,
    };
    const body = op.body && decode(op.body, parseObject(raw.length === 0 ? '{}' : raw.toString('utf8')));
    return { context: admitted, ...(body && { body }) };
  }
}
