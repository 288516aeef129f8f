import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { errors, jwtVerify, type JWTHeaderParameters, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { GatewayConfig } from '../config.js';
import { SigningKeyCache } from './signing-key-cache.js';

export interface AccessToken {
  /** The session family, which is the key of the session's record. */
  readonly sessionId: string;
  readonly sessionType: 'full' | 'identity_only';
  /** Epoch seconds. */
  readonly expiresAt: number;
}

const CLOCK_TOLERANCE_SECONDS = 5;
const CACHED_MAX = 10_000;

/** Verifies access tokens (AUTH-32). Caches verified ones until they expire, because a signature check costs 100 us. */
@Injectable()
export class AccessTokenVerifier {
  readonly #verified = new Map<string, AccessToken>();
  readonly #rules: JWTVerifyOptions;

  constructor(
    private readonly keys: SigningKeyCache,
    config: GatewayConfig,
  ) {
    // Algorithm, type, issuer and audience are fixed and never read from the token (RFC 8725, 3.1, 3.8, 3.9, 3.11).
    this.#rules = {
      algorithms: ['EdDSA'],
      typ: 'at+jwt',
      issuer: config.API_ORIGIN,
      audience: 'vaultsvc',
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['exp', 'iat', 'sub', 'sid'],
    };
  }

  /** The claims of the token, or 401. Rejects with INTERNAL_ERROR when its key must be fetched and auth is down. */
  async verify(token: string): Promise<AccessToken> {
    const digest = createHash('sha256').update(token).digest('base64');
    const cached = this.#verified.get(digest);
    if (cached && cached.expiresAt + CLOCK_TOLERANCE_SECONDS > Date.now() / 1_000) return cached;
    this.#verified.delete(digest);
    const fresh = await this.#check(token);
    this.#cache(digest, fresh);
    return fresh;
  }

  async #check(token: string): Promise<AccessToken> {
    try {
      const { payload } = await jwtVerify(token, (header) => this.#keyOf(header), this.#rules);
      return accessTokenOf(payload);
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

  /** Evicts the oldest entry when full; an evicted token that is still in use is verified again. */
  #cache(digest: string, token: AccessToken): void {
    if (this.#verified.size >= CACHED_MAX)
      this.#verified.delete(this.#verified.keys().next().value as string);
    this.#verified.set(digest, token);
  }
}

const SESSION_ID = /^[\w-]{1,100}$/;

function accessTokenOf({ sid, session_type: sessionType, exp }: JWTPayload): AccessToken {
  const isValid =
    typeof sid === 'string' &&
    SESSION_ID.test(sid) &&
    (sessionType === 'full' || sessionType === 'identity_only');
  if (!isValid) throw new errors.JWTClaimValidationFailed('unexpected claims', {}, 'sid');
  return { sessionId: sid, sessionType, expiresAt: exp as number };
}
