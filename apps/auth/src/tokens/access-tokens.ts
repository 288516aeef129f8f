import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuthConfig } from '../config.js';
import { AccessTokenKeys } from '../signing-keys/access-token-keys.js';

/** RFC 9068, section 2.1. */
export const ACCESS_TOKEN_TYPE = 'at+jwt';
export const ACCESS_TOKEN_AUDIENCE = 'vaultsvc';
export const VIEWER_TOKEN_TYPE = 'viewer+jwt';
export const VIEWER_TOKEN_AUDIENCE = 'viewer';

/** AUTH-16, AUTH-27. */
export const ACCESS_TOKEN_SECONDS = 3_600;
export const VIEWER_TOKEN_SECONDS = 300;

export interface AccessClaims {
  readonly userId: string;
  readonly accountId: string;
  /** The session family. */
  readonly sessionId: string;
  readonly clientId: string;
}

export interface IdentityClaims {
  /** The identity at the provider, which has no user yet. */
  readonly identityId: string;
  readonly sessionId: string;
  readonly clientId: string;
}

export interface ViewerClaims {
  readonly accountId: string;
  /** The user, or the requesting API key. */
  readonly subject: string;
}

/**
 * Issues the tokens of OPEN-60. They identify a session and grant nothing by themselves: role, seat and status are looked up
 * at every use. Every method throws `NoSigningKey` or `KmsUnavailable`.
 */
@Injectable()
export class AccessTokens {
  constructor(
    private readonly config: AuthConfig,
    private readonly keys: AccessTokenKeys,
  ) {}

  /** Valid for an hour, on account routes. */
  signAccessToken({ userId, accountId, sessionId, clientId }: AccessClaims): Promise<string> {
    const session = {
      sub: userId,
      account_id: accountId,
      sid: sessionId,
      session_type: 'full',
      client_id: clientId,
    };
    return this.keys.sign(ACCESS_TOKEN_TYPE, {
      ...this.#dated(ACCESS_TOKEN_AUDIENCE, ACCESS_TOKEN_SECONDS),
      ...session,
    });
  }

  /** Valid for an hour, to complete the sign-up; no account route accepts it (AUTH-33). */
  signIdentityToken({ identityId, sessionId, clientId }: IdentityClaims): Promise<string> {
    const session = { sub: identityId, sid: sessionId, session_type: 'identity_only', client_id: clientId };
    return this.keys.sign(ACCESS_TOKEN_TYPE, {
      ...this.#dated(ACCESS_TOKEN_AUDIENCE, ACCESS_TOKEN_SECONDS),
      ...session,
    });
  }

  /** Valid for five minutes of viewing. Its own type and audience prevent its use as an access token (OPEN-08). */
  signViewerToken({ accountId, subject }: ViewerClaims): Promise<string> {
    const claims = { sub: subject, account_id: accountId };
    return this.keys.sign(VIEWER_TOKEN_TYPE, {
      ...this.#dated(VIEWER_TOKEN_AUDIENCE, VIEWER_TOKEN_SECONDS),
      ...claims,
    });
  }

  #dated(aud: string, lifeSeconds: number) {
    const iat = this.keys.now();
    return { iss: this.config.API_ORIGIN, aud, jti: randomUUID(), iat, exp: iat + lifeSeconds };
  }
}
