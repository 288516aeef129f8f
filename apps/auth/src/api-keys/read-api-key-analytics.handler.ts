import { Controller } from '@nestjs/common';
import { AppError, type AccountContext, type Input } from '@vaultsvc/contracts';
import { readApiKeyAnalytics, type ApiKeyAnalytics } from '@vaultsvc/contracts/auth';
import { CredentialCache } from '@vaultsvc/limits';
import { Handles } from '@vaultsvc/messaging';
import { ApiKeyRepository } from './api-key.repository.js';

const NOTE = 'Metrics of single requests are not included.';
const DAY_SECONDS = 86_400;
const ACTIVE_DAYS = 30;

@Controller()
export class ReadApiKeyAnalytics {
  constructor(
    private readonly apiKeys: ApiKeyRepository,
    private readonly cache: CredentialCache,
  ) {}

  @Handles(readApiKeyAnalytics)
  async handle(
    { params }: Input<typeof readApiKeyAnalytics>,
    { credential }: AccountContext,
  ): Promise<ApiKeyAnalytics> {
    const key = await this.apiKeys.find(credential.accountId, params.api_key_id);
    if (!key) throw new AppError('API_KEY_NOT_FOUND');
    const { id: api_key_id, name, preview: key_preview, status, created_at, now } = key;
    // Uses of the last minute are in Redis only, so the later of the two times is returned (OPEN-52).
    const used = (await this.cache.lastUsed([api_key_id])).get(api_key_id) ?? 0;
    const last_used_at = Math.max(key.last_used_at ?? 0, used) || null;
    const daysSince = (epochSeconds: number) => Math.max(0, Math.floor((now - epochSeconds) / DAY_SECONDS));
    const days_since_last_used = last_used_at === null ? null : daysSince(last_used_at);
    return {
      api_key: { api_key_id, name, key_preview, status, created_at },
      usage: {
        last_used_at,
        days_since_last_used,
        days_since_creation: daysSince(created_at),
        is_active: days_since_last_used !== null && days_since_last_used < ACTIVE_DAYS,
      },
      note: NOTE,
    };
  }
}
