import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { decodeJwt, jwtVerify, type JWTPayload } from 'jose';
import { IntegrationsConfig } from '../config.js';
import { shortOrgId } from '../crm/crm-body.js';
import { CrmbSessionSecrets } from '../crm/crmb-session-secrets.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { requestProvider, textIn } from '../providers/provider-request.js';
import { TokenSealer } from '../tokens/token-sealer.js';

/** The longest life of a session (OPEN-38). */
const SESSION_SECONDS_MAX = 600;

/** The org and the person of a session. */
export interface CrmbSession {
  readonly orgId: string;
  readonly userId: string;
  /** Whether the session says that the person is an admin of the org. */
  readonly isAdmin: boolean;
}

/**
 * Verifies sessions of crmb, by the way that the operator has set: `jwt_hs256`, a token that the org signs with its secret
 * (OPEN-38), or `userinfo`, a token that the instance of the installed org recognizes.
 */
@Injectable()
export class CrmbSessions {
  constructor(
    private readonly config: IntegrationsConfig,
    private readonly secrets: CrmbSessionSecrets,
    private readonly installations: InstallationRepository,
    private readonly sealer: TokenSealer,
  ) {}

  /** Throws AUTHENTICATION_ERROR. @param claimed the org that the request names, for `userinfo` */
  async verify(bearer: string, claimed: string | undefined): Promise<CrmbSession> {
    const session =
      this.config.CRMB_VERIFIER === 'userinfo'
        ? await this.#ask(bearer, claimed)
        : await this.#decode(bearer);
    if (!session || session.userId === '') throw new AppError('AUTHENTICATION_ERROR');
    return session;
  }

  async #decode(bearer: string): Promise<CrmbSession | undefined> {
    for (const secret of await this.secrets.candidates(orgOf(bearer))) {
      const payload = await this.#payload(bearer, Buffer.from(secret.reveal()));
      if (payload) return sessionOf(payload);
    }
    return undefined;
  }

  /** undefined: the token has expired, lives too long, is for another audience, of another secret, or no token. */
  async #payload(bearer: string, secret: Buffer): Promise<JWTPayload | undefined> {
    try {
      const { payload } = await jwtVerify(bearer, secret, {
        algorithms: ['HS256'],
        requiredClaims: ['aud', 'exp', 'iat', 'org_id', 'user_id'],
      });
      return payload.aud === this.config.API_ORIGIN && isShort(payload) ? payload : undefined;
    } catch {
      return undefined;
    }
  }

  /** The instance is the one that the org was installed with, never one that the request names. */
  async #ask(bearer: string, claimed = ''): Promise<CrmbSession | undefined> {
    const installation = await this.installations.findConnected('crmb', claimed);
    if (!installation) return undefined;
    const { instanceOrigin } = await this.sealer.open(installation.accountId, 'crmb', installation.tokens);
    const { status, json } = await requestProvider(new URL('/services/oauth2/userinfo', instanceOrigin), {
      method: 'GET',
      headers: { Authorization: `Bearer ${bearer}` },
    });
    const orgId = shortOrgId(textIn(json, 'organization_id') ?? '');
    const userId = textIn(json, 'user_id');
    const isOfOrg = status === 200 && userId !== undefined && orgId === claimed;
    return isOfOrg ? { orgId, userId, isAdmin: false } : undefined;
  }
}

/** The org that a token claims to be of; empty for what is no token. */
function orgOf(bearer: string): string {
  try {
    const { org_id: orgId } = decodeJwt(bearer);
    return typeof orgId === 'string' ? shortOrgId(orgId) : '';
  } catch {
    return '';
  }
}

function isShort({ iat = 0, exp = 0 }: JWTPayload): boolean {
  const left = exp - Math.floor(Date.now() / 1_000);
  return exp - iat <= SESSION_SECONDS_MAX && left <= SESSION_SECONDS_MAX;
}

function sessionOf({ org_id: orgId, user_id: userId, admin }: JWTPayload): CrmbSession | undefined {
  if (typeof orgId !== 'string' || typeof userId !== 'string') return undefined;
  return { orgId: shortOrgId(orgId), userId, isAdmin: admin === true };
}
