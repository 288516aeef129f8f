import { Controller } from '@nestjs/common';
import type { ContextOf, Input } from '@vaultsvc/contracts';
import { listApiKeys, type ApiKey, type ApiKeyPage } from '@vaultsvc/contracts/auth';
import { readPosition, toPage } from '@vaultsvc/database';
import { CredentialCache } from '@vaultsvc/limits';
import { Handles } from '@vaultsvc/messaging';
import { ApiKeyRepository, type ApiKeyRow } from './api-key.repository.js';

@Controller()
export class ListApiKeys {
  constructor(
    private readonly apiKeys: ApiKeyRepository,
    private readonly cache: CredentialCache,
  ) {}

  @Handles(listApiKeys)
  async handle(
    { query }: Input<typeof listApiKeys>,
    context: ContextOf<typeof listApiKeys>,
  ): Promise<ApiKeyPage> {
    const after = readPosition(query.cursor, 2);
    const fetched = await this.apiKeys.list(context.credential.accountId, query.limit, after);
    const { rows, ...page } = toPage(fetched, query.limit, (row) => [row.position, row.id]);
    const used = await this.cache.lastUsed(rows.map(({ id }) => id));
    const active = rows.filter(({ status }) => status === 'active').length;
    return { api_keys: rows.map((row) => shown(row, used.get(row.id))), active, ...page };
  }
}

/** Uses of the last minute are in Redis only, so the later of the two times is returned (OPEN-52). */
function shown(
  { id, preview, last_used_at, name, status, created_at, expires_at, revoked_at }: ApiKeyRow,
  used = 0,
): ApiKey {
  const lastUsedAt = Math.max(last_used_at ?? 0, used) || null;
  return {
    api_key_id: id,
    name,
    key_preview: preview,
    status,
    created_at,
    last_used_at: lastUsedAt,
    expires_at,
    revoked_at,
  };
}
