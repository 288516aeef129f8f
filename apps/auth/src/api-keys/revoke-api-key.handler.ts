import { Controller } from '@nestjs/common';
import { type AccountContext, AppError, assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import { apiKeyRevoked, revokeApiKey, type RevokedApiKey } from '@vaultsvc/contracts/auth';
import { Database } from '@vaultsvc/database';
import { CredentialCache } from '@vaultsvc/limits';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { actorIdOf } from '../actor.js';
import { apiKeyCacheKey, apiKeyRecord } from '../credentials/credential-records.js';
import { ApiKeyRepository, type RevokedApiKeyRow } from './api-key.repository.js';

@Controller()
export class RevokeApiKey {
  constructor(
    private readonly database: Database,
    private readonly apiKeys: ApiKeyRepository,
    private readonly cache: CredentialCache,
    private readonly outbox: Outbox,
  ) {}

  @Handles(revokeApiKey)
  async handle(
    { params }: Input<typeof revokeApiKey>,
    context: ContextOf<typeof revokeApiKey>,
  ): Promise<RevokedApiKey> {
    assertAdmin(context);
    const id = params.api_key_id;
    const { key, repeated } = await this.#revoke(id, context);
    // Success means that no gateway accepts the key. If Redis fails, the answer is 500 and a retry of the call runs this
    // again (OPEN-52).
    await this.#bury(id, context.credential.accountId, key);
    const revoked = { api_key_id: id, status: 'revoked', revoked_at: key.revoked_at } as const;
    return repeated
      ? { ...revoked, message: 'This API key was already revoked.' }
      : { ...revoked, name: key.name };
  }

  /** A repetition finds the key revoked, and has no event of its own (KEY-11). */
  async #revoke(id: string, context: AccountContext): Promise<{ key: RevokedApiKeyRow; repeated: boolean }> {
    const { accountId } = context.credential;
    const outcome = await this.database.transaction(async (tx) => {
      const key = await this.apiKeys.revoke(tx, accountId, id);
      if (!key) return { key: await this.apiKeys.findRevoked(tx, accountId, id), repeated: true };
      const fact = { account_id: accountId, api_key_id: id, actor_id: actorIdOf(context) };
      await this.outbox.publish(tx, apiKeyRevoked, fact, context);
      return { key, repeated: false };
    });
    if (!outcome.key) throw new AppError('API_KEY_NOT_FOUND');
    return { key: outcome.key, repeated: outcome.repeated };
  }

  async #bury(id: string, accountId: string, { lookup, version }: RevokedApiKeyRow): Promise<void> {
    await this.cache.revoke(
      apiKeyCacheKey(lookup),
      apiKeyRecord({ id, accountId, version, active: false, expiresAt: null }),
    );
  }
}
