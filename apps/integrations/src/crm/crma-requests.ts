import { Injectable } from '@nestjs/common';
import { AppError, type Class, type ProviderContext } from '@vaultsvc/contracts';
import type { CrmRecord } from '@vaultsvc/contracts/integrations';
import { IntegrationsConfig } from '../config.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { AccountCalls } from '../webhooks/account-calls.js';
import { verifyCrmaSignature } from '../webhooks/crma-signature.js';
import { DeliveryRepository } from '../webhooks/delivery.repository.js';
import { readCrmBody, requirePerson, assertSame } from './crm-body.js';
import type { CrmCaller } from './crm-caller.js';

/** Verifies requests of crma. Its proxy names portal and person in the signed query; without it the signed body does. */
@Injectable()
export class CrmaRequests {
  constructor(
    private readonly config: IntegrationsConfig,
    private readonly deliveries: DeliveryRepository,
    private readonly installations: InstallationRepository,
    private readonly calls: AccountCalls,
  ) {}

  /** Throws AUTHENTICATION_ERROR for a signature that is wrong, old or was used before, and for a portal without the app. */
  async read<T extends CrmRecord>(
    type: Class<T>,
    { raw }: { readonly raw: Buffer },
    context: ProviderContext,
  ): Promise<{ body: T; caller: CrmCaller }> {
    const signature = this.verify(raw, context);
    const query = new URL(context.signedRequest.target, this.config.API_ORIGIN).searchParams;
    const body = readCrmBody(type, raw);
    const portalId = query.get('portalId') ?? body.portal_id ?? '';
    const userId = requirePerson(query.get('userId') ?? body.user_id);
    assertSame(portalId, body.portal_id);
    assertSame(userId, body.user_id);
    const installation = await this.installations.findConnected('crma', portalId);
    if (!installation || installation.vaultId === null) throw new AppError('AUTHENTICATION_ERROR');
    await this.calls.count(installation.accountId);
    if (!(await this.deliveries.isFirst('crma', signature))) throw new AppError('AUTHENTICATION_ERROR');
    const { requestId, deadlineMs } = context;
    return {
      body,
      caller: {
        installation: { ...installation, vaultId: installation.vaultId },
        userId,
        requestId,
        deadlineMs,
      },
    };
  }

  /** The signature, once it is verified. */
  verify(raw: Buffer, { signedRequest }: ProviderContext): string {
    const request = { ...signedRequest, method: 'POST', origin: this.config.API_ORIGIN };
    return verifyCrmaSignature(this.config.CRMA_CLIENT_SECRET, request, raw);
  }
}
