import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { AppError, LimiterUnavailable, serviceContext, type PublicOperation } from '@vaultsvc/contracts';
import { resolveCredential, type ResolvedCredential } from '@vaultsvc/contracts/auth';
import { lookupHash, parseToken } from '@vaultsvc/crypto/tokens';
import {
  AddressLimiter,
  assertWithinLimit,
  CredentialReader,
  RateLimiter,
  RedisUnavailable,
  type Admission,
  type AdmissionRequest,
  type CredentialRecord,
  type FixedWindow,
  type PoolSnapshot,
  type RateLimits,
} from '@vaultsvc/limits';
import { Bus } from '@vaultsvc/messaging';
import { GatewayConfig } from '../config.js';
import { AccessTokenVerifier } from './access-token-verifier.js';
import { needsCredential } from './assert-access.js';

/** A call that is authenticated, where its route needs that, and within the limit of its window. */
export interface Authentication {
  /** null on routes that need no credential. */
  readonly record: CredentialRecord | null;
  readonly window: FixedWindow;
  /** null where the operation is not billable, and where Redis holds no snapshot of the account. */
  readonly poolSnapshot: PoolSnapshot | null;
  /** null on routes that need no credential. */
  readonly presented: PresentedCredential | null;
}

/** What a request is authenticated with, without the secret. */
export interface PresentedCredential {
  readonly kind: 'api_key' | 'session';
  /** The key for `auth.resolve-credential`. */
  readonly name: string;
  /** The key of its record in Redis. */
  readonly cacheKey: string;
  /** The kinds of record that it may have. */
  readonly recordKinds: readonly CredentialRecord['kind'][];
  /** When the access token expires, in epoch seconds; null for an API key, whose record has its expiry. */
  readonly expiresAt: number | null;
}

/** What decides how a call is authenticated. */
export type AccessRule = Pick<PublicOperation, 'access' | 'billable'>;

const BEARER = /^Bearer +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+) *$/i;
const API_KEY_IN_AUTHORIZATION = /^(?:Bearer +)?vk_/i;
const TOKEN_CHARACTERS_MAX = 4_096;

/** Authenticates and rate limits calls: 401, then 429 (AMB-13), in one round trip to Redis. */
@Injectable()
export class RequestAuthenticator {
  readonly #limits: RateLimits;
  readonly #pending = new Map<string, Promise<ResolvedCredential>>();

  constructor(
    private readonly limiter: RateLimiter,
    private readonly addresses: AddressLimiter,
    private readonly credentials: CredentialReader,
    private readonly tokens: AccessTokenVerifier,
    private readonly bus: Bus,
    config: GatewayConfig,
  ) {
    this.#limits = {
      perAccount: config.RATE_LIMIT_PER_MINUTE,
      perAddress: config.RATE_LIMIT_PER_IP_PER_MINUTE,
    };
  }

  /** Throws an error of the code AUTHENTICATION_ERROR (401), or RateLimitExceeded (429), also while Redis is unavailable. */
  async authenticate(
    op: AccessRule,
    headers: IncomingHttpHeaders,
    clientIp: string,
    requestId: string,
  ): Promise<Authentication> {
    if (op.access.provider) return this.#admitProvider(clientIp);
    const presented = mustReadCredential(op, headers) ? await this.#presented(op, headers) : null;
    const request = {
      key: presented && presented.cacheKey,
      billable: op.billable ?? false,
      clientIp,
      limits: this.#limits,
    };
    let admission = await this.#admit(request);
    if (admission.outcome === 'not_cached' && presented) {
      assertWithinLimit(admission.window);
      const { found } = await this.#resolve(presented, requestId);
      if (!found) throw new AppError('AUTHENTICATION_ERROR');
      admission = await this.#admit({ ...request, isResolved: true });
      // Auth has just written the record: it is lost, or has a MAC of another key.
      if (admission.outcome === 'not_cached') throw new LimiterUnavailable();
    }
    return authenticationOf(admission, presented);
  }

  /**
   * Whether a credential that was accepted earlier still is; counts no call. Rejects when neither Redis nor auth can tell.
   */
  async isStillValid(presented: PresentedCredential, requestId: string): Promise<boolean> {
    const { cacheKey, expiresAt, recordKinds } = presented;
    if (expiresAt !== null && expiresAt <= Date.now() / 1_000) return false;
    let record = await this.credentials.read(cacheKey);
    if (!record) {
      if (!(await this.#resolve(presented, requestId)).found) return false;
      record = await this.credentials.read(cacheKey);
    }
    if (!record) throw new Error('the record of the credential was not stored');
    const hasExpired = record.expiresAt !== null && record.expiresAt <= Date.now() / 1_000;
    return record.status === 'active' && !hasExpired && recordKinds.includes(record.kind);
  }

  /** Counts a call that needs no credential on its address. Throws RateLimitExceeded. */
  async countAnonymous(clientIp: string): Promise<Authentication> {
    return this.#anonymous(this.addresses.count(clientIp, this.#limits.perAddress));
  }

  /** Many accounts share the addresses of a provider: only calls whose signature is refused are counted (OPEN-10). */
  #admitProvider(clientIp: string): Promise<Authentication> {
    return this.#anonymous(this.addresses.read(clientIp, this.#limits.perAddress));
  }

  async #anonymous(reading: Promise<FixedWindow>): Promise<Authentication> {
    const window = await reading.catch((error: unknown) => {
      throw uncounted(error);
    });
    assertWithinLimit(window);
    return { record: null, window, poolSnapshot: null, presented: null };
  }

  /** Throws LimiterUnavailable while Redis is unavailable: the call cannot be counted, so it is refused (ENV-36). */
  async #admit(request: AdmissionRequest): Promise<Admission> {
    try {
      return await this.limiter.admit(request);
    } catch (error) {
      throw uncounted(error);
    }
  }

  /** Has auth write the credential's record to Redis. Concurrent calls with one credential share one request to auth. */
  #resolve({ kind, name, cacheKey }: PresentedCredential, requestId: string): Promise<ResolvedCredential> {
    const pending =
      this.#pending.get(cacheKey) ??
      this.bus
        .call(resolveCredential, { body: { kind, key: name } }, serviceContext({ requestId }))
        .catch((error: unknown) => {
          throw isUncountedByAuth(error) ? new LimiterUnavailable({ cause: error }) : error;
        });
    this.#pending.set(cacheKey, pending);
    return pending.finally(() => this.#pending.delete(cacheKey));
  }

  /** X-API-Key has precedence, even a bad one beside a good token (AMB-44). Throws 401 without a look-up in Redis. */
  async #presented(op: AccessRule, headers: IncomingHttpHeaders): Promise<PresentedCredential> {
    const { 'x-api-key': apiKey, authorization } = headers;
    if (apiKey !== undefined) return presentedKey(String(apiKey));
    if (authorization === undefined) throw new AppError(missingReason(op));
    if (API_KEY_IN_AUTHORIZATION.test(authorization)) throw new AppError(keyAsBearerReason(op));
    const { sessionId, sessionType, expiresAt } = await this.tokens.verify(bearerToken(authorization));
    const recordKinds = [sessionType === 'full' ? ('session' as const) : ('identity' as const)];
    return { kind: 'session', name: sessionId, cacheKey: `s:${sessionId}`, recordKinds, expiresAt };
  }
}

/** Where a credential is required, and where an optional one is presented. */
function mustReadCredential(
  op: AccessRule,
  { authorization, 'x-api-key': apiKey }: IncomingHttpHeaders,
): boolean {
  const isPresented = authorization !== undefined || apiKey !== undefined;
  return needsCredential(op) || (op.access.credential === 'optional' && isPresented);
}

function presentedKey(text: string): PresentedCredential {
  if (text === '') throw new AppError('API_KEY_MISSING');
  const bytes = parseToken('apikey', text);
  if (!bytes) throw new AppError('API_KEY_MALFORMED');
  const name = lookupHash('apikey', bytes).toString('hex');
  return { kind: 'api_key', name, cacheKey: `k:${name}`, recordKinds: ['api_key'], expiresAt: null };
}

function bearerToken(authorization: string): string {
  const [, token] = BEARER.exec(authorization) ?? [];
  if (token === undefined || token.length > TOKEN_CHARACTERS_MAX) throw new AppError('BEARER_MALFORMED');
  return token;
}

/** An API key would be refused with 403 where a session is needed. */
function missingReason({ access: { credential } }: AccessRule): 'CREDENTIALS_MISSING' | 'BEARER_MISSING' {
  return credential === 'session' || credential === 'identity-only'
    ? 'BEARER_MISSING'
    : 'CREDENTIALS_MISSING';
}

/** Where a session is needed, the key would be refused in X-API-Key, too. */
function keyAsBearerReason(op: AccessRule): 'API_KEY_AS_BEARER' | 'BEARER_MISSING' {
  return missingReason(op) === 'BEARER_MISSING' ? 'BEARER_MISSING' : 'API_KEY_AS_BEARER';
}

function authenticationOf(admission: Admission, presented: PresentedCredential | null): Authentication {
  if (admission.outcome === 'refused' || admission.outcome === 'not_cached') {
    assertWithinLimit(admission.window);
    throw new AppError('AUTHENTICATION_ERROR');
  }
  const record = 'record' in admission ? admission.record : null;
  // Completing the sign-up starts another session; tokens of the identity-only session are no longer valid (OPEN-59).
  if (record && !presented?.recordKinds.includes(record.kind)) throw new AppError('AUTHENTICATION_ERROR');
  assertWithinLimit(admission.window);
  return {
    record,
    window: admission.window,
    poolSnapshot: 'snapshot' in admission ? admission.snapshot : null,
    presented,
  };
}

/**
 * Auth answers with these reasons only when its own Redis is unavailable, so that it could not write the record. Releases before
 * LIMITER_UNAVAILABLE have the other one.
 */
function isUncountedByAuth(error: unknown): boolean {
  return (
    error instanceof AppError &&
    (error.reason === 'LIMITER_UNAVAILABLE' || error.reason === 'RATE_LIMIT_EXCEEDED')
  );
}

/** The error of a call that Redis could not count. */
function uncounted(error: unknown): unknown {
  return error instanceof RedisUnavailable ? new LimiterUnavailable({ cause: error }) : error;
}
