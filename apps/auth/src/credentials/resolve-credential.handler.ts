import { Controller } from '@nestjs/common';
import { AppError, LimiterUnavailable, type CallContext, type Input } from '@vaultsvc/contracts';
import { resolveCredential, type ResolvedCredential } from '@vaultsvc/contracts/auth';
import { CredentialCache, type CredentialRecord, RedisUnavailable } from '@vaultsvc/limits';
import { Handles } from '@vaultsvc/messaging';
import { apiKeyCacheKey, apiKeyRecord, sessionCacheKey, sessionRecord } from './credential-records.js';
import { PrincipalRepository } from './principal.repository.js';

const LOOKUP_HEX = /^[0-9a-f]{64}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Found {
  readonly key: string;
  readonly record: CredentialRecord;
}

/** Loads a credential into the cache on a miss (OPEN-52). Unknown credentials are not cached. */
@Controller()
export class ResolveCredential {
  constructor(
    private readonly principals: PrincipalRepository,
    private readonly cache: CredentialCache,
  ) {}

  @Handles(resolveCredential)
  async handle({ body }: Input<typeof resolveCredential>, context: CallContext): Promise<ResolvedCredential> {
    const found = body.kind === 'api_key' ? await this.#apiKey(body.key) : await this.#session(body.key);
    if (!found) return { found: false };
    assertFresh(context);
    await this.#remember(found);
    return { found: found.record.status === 'active' };
  }

  /** A call whose credential cannot be cached cannot be counted either, so it is refused with 429 (OPEN-53). */
  async #remember({ key, record }: Found): Promise<void> {
    try {
      await this.cache.put(key, record);
    } catch (cause) {
      throw cause instanceof RedisUnavailable ? new LimiterUnavailable({ cause }) : cause;
    }
  }

  async #apiKey(hex: string): Promise<Found | undefined> {
    if (!LOOKUP_HEX.test(hex)) return undefined;
    const lookup = Buffer.from(hex, 'hex');
    const principal = await this.principals.ofApiKey(lookup);
    return principal && { key: apiKeyCacheKey(lookup), record: apiKeyRecord(principal) };
  }

  async #session(sessionId: string): Promise<Found | undefined> {
    if (!UUID.test(sessionId)) return undefined;
    const principal = await this.principals.ofSession(sessionId);
    return principal && { key: sessionCacheKey(sessionId), record: sessionRecord(principal) };
  }
}

/** A record read by a process that was paused could outlive the ended record of a later revocation. */
function assertFresh({ deadlineMs }: CallContext): void {
  if (Date.now() > deadlineMs)
    throw new AppError('INTERNAL_ERROR', undefined, {
      cause: new Error('the principal is too old to cache'),
    });
}
