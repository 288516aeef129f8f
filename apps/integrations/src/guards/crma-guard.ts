import { Injectable } from '@nestjs/common';
import { AppError, Busy, type CrmContext, type CrmEventsContext } from '@vaultsvc/contracts';
import { ProviderGuard, type AdmittedRequest, type ProviderRequest } from '@vaultsvc/messaging';
import { IntegrationsConfig } from '../config.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { AccountCalls } from './account-calls.js';
import { readCrmBody } from '../crm/crm-body.js';
import { CrmaEvents } from './crma-events.js';
import { verifyCrmaSignature } from './crma-signature.js';
import { DeliveryRepository } from './delivery.repository.js';
import { idOf, queryOf } from './identifying-parameters.js';

/** What the request proxy of crma appends to the query of what a person's page asked for. */
const PROXIED = ['portalId', 'userId', 'userEmail', 'appId'];

/**
 * Verifies requests of crma. For people its proxy signs, and the query alone names portal and person; events of its own have
 * neither there (OPEN-38).
 */
@Injectable()
export class CrmaGuard extends ProviderGuard {
  override readonly providers = ['crma'] as const;

  constructor(
    private readonly config: IntegrationsConfig,
    private readonly installations: InstallationRepository,
    private readonly calls: AccountCalls,
    private readonly deliveries: DeliveryRepository,
    private readonly events: CrmaEvents,
  ) {
    super();
  }

  override async admit(request: ProviderRequest): Promise<AdmittedRequest> {
    const { op, raw, context } = request;
    const signed = { ...context.signedRequest, method: 'POST', origin: this.config.API_ORIGIN };
    const signature = verifyCrmaSignature(this.config.CRMA_CLIENT_SECRET, signed, raw);
    const query = queryOf(context.signedRequest.target);
    const isWebhook = op.access.provider === 'crma' && op.access.webhook === true;
    return isWebhook
      ? this.#admitEvents(request, query, signature)
      : this.#admitPerson(request, query, signature);
  }

  async #admitEvents({ raw, context }: ProviderRequest, query: URLSearchParams, signature: string) {
    if (PROXIED.some((name) => query.has(name))) throw new AppError('VERIFIED_REQUEST_REFUSED');
    const { events, delivery } = await this.events.read(raw, signature, context);
    const admitted: CrmEventsContext = { ...context, events };
    return { context: admitted, delivery };
  }

  async #admitPerson({ op, raw, context }: ProviderRequest, query: URLSearchParams, signature: string) {
    const [portalId, userId] = [idOf(query, 'portalId'), idOf(query, 'userId')];
    const installation = await this.installations.findConnected('crma', portalId);
    if (!installation || installation.vaultId === null) return this.calls.refuse('crma', portalId);
    await this.calls.count(installation.accountId);
    const body = op.body && readCrmBody(op.body, raw);
    const delivery = await this.deliveries.claim('crma', signature, context);
    if (delivery === 'running') throw new Busy(1);
    if (delivery === 'used') throw new AppError('VERIFIED_REQUEST_REFUSED');
    const { vaultId } = installation;
    const admitted: CrmContext = { ...context, installation: { ...installation, vaultId }, userId };
    return { context: admitted, delivery, ...(body && { body }) };
  }
}
