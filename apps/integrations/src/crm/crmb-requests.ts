import { Injectable } from '@nestjs/common';
import { AppError, type Class, type ProviderContext } from '@vaultsvc/contracts';
import type { CrmRecord } from '@vaultsvc/contracts/integrations';
import {
  InstallationRepository,
  type ConnectedInstallation,
} from '../installations/installation.repository.js';
import { AccountCalls } from '../webhooks/account-calls.js';
import { assertSame, readCrmBody, requirePerson, shortOrgId } from './crm-body.js';
import type { CrmCaller } from './crm-caller.js';
import { CrmbSessions, type CrmbSession } from './crmb-sessions.js';

/** Verifies requests of crmb: the bearer is a session of an org that has the app. */
@Injectable()
export class CrmbRequests {
  constructor(
    private readonly sessions: CrmbSessions,
    private readonly installations: InstallationRepository,
    private readonly calls: AccountCalls,
  ) {}

  /** Throws AUTHENTICATION_ERROR for a session that is not valid, or is of an org without the app. */
  async read<T extends CrmRecord>(
    type: Class<T>,
    { raw }: { readonly raw: Buffer },
    context: ProviderContext,
  ): Promise<{ body: T; caller: CrmCaller }> {
    const { session, installation } = await this.verify(context, orgIn(raw));
    const body = readCrmBody(type, raw);
    assertSame(session.orgId, body.org_id && shortOrgId(body.org_id));
    const userId = requirePerson(session.userId);
    assertSame(userId, body.user_id);
    if (installation.vaultId === null) throw new AppError('AUTHENTICATION_ERROR');
    await this.calls.count(installation.accountId);
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

  /** @param claimed the org that the body names: a verifier that asks the org needs it before the session is known */
  async verify(
    { signedRequest }: ProviderContext,
    claimed: string | undefined,
  ): Promise<{ session: CrmbSession; installation: ConnectedInstallation }> {
    const [, bearer] = /^Bearer +(\S+) *$/i.exec(signedRequest.headers['authorization'] ?? '') ?? [];
    if (bearer === undefined) throw new AppError('AUTHENTICATION_ERROR');
    const session = await this.sessions.verify(bearer, claimed);
    const installation = await this.installations.findConnected('crmb', session.orgId);
    if (!installation) throw new AppError('AUTHENTICATION_ERROR');
    return { session, installation };
  }
}

/** The org that a body claims to be of; undefined for a body that names none, or is no JSON. */
export function orgIn(raw: Buffer): string | undefined {
  try {
    const { org_id } = JSON.parse(raw.toString('utf8')) as { org_id?: unknown };
    return typeof org_id === 'string' ? shortOrgId(org_id) : undefined;
  } catch {
    return undefined;
  }
}
