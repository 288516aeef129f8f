import { Injectable } from '@nestjs/common';
import {
  AppError,
  parseObject,
  textAt,
  type ConnectedApp,
  type CrmContext,
  type CrmEventsContext,
} from '@vaultsvc/contracts';
import { CrmRecord } from '@vaultsvc/contracts/integrations';
import { ProviderGuard, type AdmittedRequest, type ProviderRequest } from '@vaultsvc/messaging';
import { InstallationRepository } from '../installations/installation.repository.js';
import { AccountCalls } from './account-calls.js';
import { bearerOf } from './bearer.js';
import { assertSame, readCrmBody, shortOrgId } from '../crm/crm-body.js';
import { normalizeId } from '../crm/record-key.js';
import { CrmbSessions, type CrmbSession } from './crmb-sessions.js';

/** Verifies requests of crmb: the bearer is a session of an org that has the app, and names the person. */
@Injectable()
export class CrmbGuard extends ProviderGuard {
  override readonly providers = ['crmb'] as const;

  constructor(
    private readonly sessions: CrmbSessions,
    private readonly installations: InstallationRepository,
    private readonly calls: AccountCalls,
  ) {
    super();
  }

  override async admit(request: ProviderRequest): Promise<AdmittedRequest> {
    const { op, raw, context } = request;
    const session = await this.sessions.verify(bearerOf(context), orgIn(raw));
    const installation = await this.installations.findConnected('crmb', session.orgId);
    if (!installation) return this.calls.refuse('crmb', session.orgId);
    await this.calls.count(installation.accountId);
    const isWebhook = op.access.provider === 'crmb' && op.access.webhook === true;
    return isWebhook
      ? { context: eventOf(request, session, installation) }
      : admitPerson(request, session, installation);
  }
}

function admitPerson(
  { op, raw, context }: ProviderRequest,
  session: CrmbSession,
  installation: ConnectedApp,
): AdmittedRequest {
  const { orgId } = session;
  const userId = personOf(session.userId);
  const { vaultId } = installation;
  if (vaultId === null) throw new AppError('VERIFIED_REQUEST_REFUSED');
  const body = op.body && readCrmBody(op.body, raw);
  if (body instanceof CrmRecord) {
    assertSame(orgId, body.org_id && shortOrgId(body.org_id));
    assertSame(userId, body.user_id && personOf(body.user_id));
  }
  const admitted: CrmContext = { ...context, installation: { ...installation, vaultId }, userId };
  return { context: admitted, ...(body && { body }) };
}

/** One form for the person: the CRM names them in either (OPEN-37). */
function personOf(userId: string): string {
  return normalizeId('crmb', 'user_id', userId);
}

/** The event is about the org of the session; a body that names another one is refused. */
function eventOf(
  { raw, context }: ProviderRequest,
  { orgId, userId, isAdmin }: CrmbSession,
  installation: ConnectedApp,
): CrmEventsContext {
  const event = parseObject(raw.toString('utf8'));
  assertSame(orgId, orgIn(raw));
  const type = textAt(event, 'event') || textAt(event, 'type');
  return { ...context, events: [{ type, installation, userId, isAdmin }] };
}

/** The org that a body claims to be of; undefined for a body that names none, or is no JSON. */
function orgIn(raw: Buffer): string | undefined {
  try {
    const orgId = textAt(JSON.parse(raw.toString('utf8')), 'org_id');
    return orgId === '' ? undefined : shortOrgId(orgId);
  } catch {
    return undefined;
  }
}
