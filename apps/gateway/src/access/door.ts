import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { AppError, serviceContext, type PublicOperation } from '@vaultsvc/contracts';
import { resolveCredential } from '@vaultsvc/contracts/auth';
import {
  assertWithinLimit,
  RateLimiter,
  type Admission,
  type CredentialRecord,
  type PoolSnapshot,
  type RateLimits,
  RedisUnavailable,
  type FixedWindow,
} from '@vaultsvc/limits';
import { Bus } from '@vaultsvc/messaging';
import { GatewayConfig } from '../config.js';
import { AccessTokens } from './access-tokens.js';
import { presentedCredential, presentsCredential } from './presented-credential.js';

/** A call that came in: who, how much of the minute is used, and the account's pool snapshot if the operation is billable. */
export interface Entered {
  /** null on routes that need no credential. */
  readonly record: CredentialRecord | null;
  readonly window: FixedWindow;
  readonly poolSnapshot: PoolSnapshot | null;
}

interface Key {
  readonly kind: 'api_key' | 'session';
  /** As `auth.resolve-credential` takes it. */
  readonly name: string;
  /** As the record in Redis is called. */
  readonly cacheKey: string;
  readonly recordKinds: readonly CredentialRecord['kind'][];
}

/** Lets calls in: credential 401, then limiter 429 (AMB-13), one round trip to Redis in all. */
@Injectable()
export class Door {
  readonly #limits: RateLimits;
  readonly #asking = new Map<string, Promise<unknown>>();

  constructor(
    private readonly limiter: RateLimiter,
    private readonly tokens: AccessTokens,
    private readonly bus: Bus,
    config: GatewayConfig,
  ) {
    this.#limits = {
      perAccount: config.RATE_LIMIT_PER_MINUTE,
      perAddress: config.RATE_LIMIT_PER_IP_PER_MINUTE,
    };
  }

  /** Throws AUTHENTICATION_ERROR, RateLimitExceeded, or RedisUnavailable. */
  async enter(
    op: PublicOperation,
    headers: IncomingHttpHeaders,
    clientIp: string,
    requestId: string,
  ): Promise<Entered> {
    const key = isAsked(op, headers) ? await this.#keyOf(headers) : null;
    const request = {
      key: key && key.cacheKey,
      billable: op.billable ?? false,
      clientIp,
      limits: this.#limits,
    };
    let admitted = await this.limiter.admit(request);
    if (admitted.outcome === 'unknown' && key) {
      assertWithinLimit(admitted.window);
      await this.#resolve(key, requestId);
      admitted = await this.limiter.admit({ ...request, resolved: true });
    }
    return entered(admitted, key);
  }

  /** Counts a call that needs no credential on its address. Throws RateLimitExceeded or RedisUnavailable. */
  async enterUnknown(clientIp: string): Promise<Entered> {
    return entered(
      await this.limiter.admit({ key: null, billable: false, clientIp, limits: this.#limits }),
      null,
    );
  }

  /** One question per credential at a time: a burst of first calls must not become a burst on auth. */
  #resolve({ kind, name, cacheKey }: Key, requestId: string): Promise<unknown> {
    const asking =
      this.#asking.get(cacheKey) ??
      this.bus
        .call(resolveCredential, { body: { kind, key: name } }, serviceContext(requestId))
        .catch(uncounted);
    this.#asking.set(cacheKey, asking);
    return asking.finally(() => this.#asking.delete(cacheKey));
  }

  async #keyOf(headers: IncomingHttpHeaders): Promise<Key> {
    const presented = presentedCredential(headers);
    if (presented.kind === 'api_key') {
      return {
        kind: 'api_key',
        name: presented.lookup,
        cacheKey: `k:${presented.lookup}`,
        recordKinds: ['api_key'],
      };
    }
    const { sessionId, sessionType } = await this.tokens.verify(presented.token);
    const recordKinds = [sessionType === 'full' ? ('session' as const) : ('identity' as const)];
    return { kind: 'session', name: sessionId, cacheKey: `s:${sessionId}`, recordKinds };
  }
}

export function needsCredential({ access: { credential } }: PublicOperation): boolean {
  return credential !== 'none' && credential !== 'provider' && credential !== 'optional';
}

/** Where a credential is optional, one that is presented is looked at as any other. */
function isAsked(op: PublicOperation, headers: IncomingHttpHeaders): boolean {
  return needsCredential(op) || (op.access.credential === 'optional' && presentsCredential(headers));
}

function entered(admitted: Admission, key: Key | null): Entered {
  if (admitted.outcome === 'refused' || admitted.outcome === 'unknown')
    throw new AppError('AUTHENTICATION_ERROR');
  const record = 'record' in admitted ? admitted.record : null;
  // A session that has completed its sign-up is another one; a token of the old kind is dead (OPEN-59).
  if (record && !key?.recordKinds.includes(record.kind)) throw new AppError('AUTHENTICATION_ERROR');
  assertWithinLimit(admitted.window);
  return { record, window: admitted.window, poolSnapshot: 'snapshot' in admitted ? admitted.snapshot : null };
}

/** Auth refuses for one reason alone: the Redis of both did not take what it found out. */
function uncounted(cause: unknown): never {
  if (cause instanceof AppError && cause.code === 'RATE_LIMIT_EXCEEDED')
    throw new RedisUnavailable('Redis is not available to auth', { cause });
  throw cause;
}
