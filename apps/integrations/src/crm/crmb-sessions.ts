import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { jwtVerify } from 'jose';
import { IntegrationsConfig } from '../config.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { requestProvider, textIn } from '../providers/provider-request.js';
import { TokenSealer } from '../tokens/token-sealer.js';
import { shortOrgId } from './crm-body.js';

/** The org and the person of a session. */
export interface CrmbSession {
  readonly orgId: string;
  readonly userId: string;
}

/**
 * Verifies sessions of crmb, by the way that the operator has set: `jwt_hs256`, a token that the org signs with the secret of the
 * app (OPEN-38), or `userinfo`, a token that the instance of the installed org recognizes.
 */
@Injectable()
export class CrmbSessions {
  constructor(
    private readonly config: IntegrationsConfig,
    private readonly installations: InstallationRepository,
    private readonly sealer: TokenSealer,
  ) {}

  /** Throws AUTHENTICATION_ERROR. @param claimed the org that the request names, for `userinfo` */
  async verify(bearer: string, claimed: string | undefined): Promise<CrmbSession> {
    const session =
      this.config.CRMB_VERIFIER === 'userinfo'
        ? await this.#ask(bearer, claimed)
        : await this.#decode(bearer);
    if (!session) throw new AppError('AUTHENTICATION_ERROR');
    return session;
  }

  async #decode(bearer: string): Promise<CrmbSession | undefined> {
    const secret = this.config.CRMB_SESSION_SECRET.reveal();
    if (secret === '') return undefined;
    try {
      const { payload } = await jwtVerify(bearer, Buffer.from(secret), {
        algorithms: ['HS256'],
        requiredClaims: ['exp', 'org_id', 'user_id'],
      });
      const { org_id: orgId, user_id: userId } = payload;
      if (typeof orgId !== 'string' || typeof userId !== 'string') return undefined;
      return { orgId: shortOrgId(orgId), userId };
    } catch {
      return undefined; // expired, of another secret, or no token
    }
  }

  /** The instance is the one that the org was installed with, never one that the request names. */
  async #ask(bearer: string, claimed = ''): Promise<CrmbSession | undefined> {
    const installation = await this.installations.findConnected('crmb', claimed);
    if (!installation) return undefined;
    const { instanceOrigin } = await this.sealer.open(installation.accountId, 'crmb', installation.tokens);
    const { status, json } = await requestProvider(new URL('/services/oauth2/userinfo', instanceOrigin), {
      headers: { Authorization: `Bearer ${bearer}` },
    });
    const orgId = shortOrgId(textIn(json, 'organization_id') ?? '');
    const userId = textIn(json, 'user_id');
    return status === 200 && userId !== undefined && orgId === claimed ? { orgId, userId } : undefined;
  }
}
