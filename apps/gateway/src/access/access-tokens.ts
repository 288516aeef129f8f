import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { errors, jwtVerify, type JWTHeaderParameters, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { GatewayConfig } from '../config.js';
import { SigningKeys } from './signing-keys.js';

export interface AccessToken {
  /** Session family: the key of the session's record. */
  readonly sessionId: string;
  readonly sessionType: 'full' | 'identity_only';
  /** Epoch seconds. */
  readonly expiresAt: number;
}

const CLOCK_TOLERANCE_SECONDS = 5;
const REMEMBERED_MAX = 10_000;

/** Verifies access tokens (AUTH-32). A verified one is remembered until it expires: a signature costs 100 us. */
@Injectable()
export class AccessTokens {
  readonly #verified = new Map<string, AccessToken>();
  readonly #rules: JWTVerifyOptions;

  constructor(
    private readonly keys: SigningKeys,
    config: GatewayConfig,
  ) {
    // Fixed algorithm, type, issuer and audience: nothing of it is taken from the token (RFC 8725, 3.1, 3.8, 3.9, 3.11).
    this.#rules = {
      algorithms: ['EdDSA'],
      typ: 'at+jwt',
      issuer: config.API_ORIGIN,
      audience: 'vaultsvc',
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['exp', 'iat', 'sub', 'sid'],
    };
  }

  /** What the token says, or 401. Rejects with INTERNAL_ERROR when auth must be asked for keys and is down. */
  async verify(token: string): Promise<AccessToken> {
    const digest = createHash('sha256').update(token).digest('base64');
    const known = this.#verified.get(digest);
    if (known && known.expiresAt + CLOCK_TOLERANCE_SECONDS > Date.now() / 1_000) return known;
    this.#verified.delete(digest);
    const fresh = await this.#check(token);
    this.#remember(digest, fresh);
    return fresh;
  }

  async #check(token: string): Promise<AccessToken> {
    try {
      const { payload } = await jwtVerify(token, (header) => this.#keyOf(header), this.#rules);
      return read(payload);
    } catch (error) {
      if (error instanceof errors.JOSEError)
        throw new AppError('AUTHENTICATION_ERROR', undefined, { cause: error });
      throw error;
    }
  }

  async #keyOf({ kid }: JWTHeaderParameters) {
    const key = kid === undefined ? undefined : await this.keys.find(kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  }

  /** The oldest go first; a token that is still used is verified again. */
  #remember(digest: string, token: AccessToken): void {
    if (this.#verified.size >= REMEMBERED_MAX)
      this.#verified.delete(this.#verified.keys().next().value as string);
    this.#verified.set(digest, token);
  }
}

const SESSION_ID = /^[\w-]{1,100}$/;

function read({ sid, session_type: sessionType, exp }: JWTPayload): AccessToken {
  const isRead =
    typeof sid === 'string' &&
    SESSION_ID.test(sid) &&
    (sessionType === 'full' || sessionType === 'identity_only');
  if (!isRead) throw new errors.JWTClaimValidationFailed('unexpected claims', {}, 'sid');
  return { sessionId: sid, sessionType, expiresAt: exp as number };
}
