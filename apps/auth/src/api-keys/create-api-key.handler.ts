import { Controller } from '@nestjs/common';
import { assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import { apiKeyCreated, createApiKey, type CreatedApiKey } from '@vaultsvc/contracts/auth';
import { Database } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { actorIdOf } from '../actor.js';
import { ApiKeyRepository } from './api-key.repository.js';
import { issueApiKey } from './issue-api-key.js';

const WARNING = 'Store this key now. It will not be shown again.';

@Controller()
export class CreateApiKey {
  constructor(
    private readonly database: Database,
    private readonly apiKeys: ApiKeyRepository,
    private readonly outbox: Outbox,
  ) {}

  @Handles(createApiKey)
  async handle(
    { body }: Input<typeof createApiKey>,
    context: ContextOf<typeof createApiKey>,
  ): Promise<CreatedApiKey> {
    assertAdmin(context);
    const { name, expires_in_days: expiresInDays = null } = body;
    const { accountId } = context.credential;
    const createdBy = actorIdOf(context);
    const key = await this.database.transaction(async (tx) => {
      const issued = await issueApiKey(this.apiKeys, tx, { accountId, createdBy, name, expiresInDays });
      await this.outbox.publish(
        tx,
        apiKeyCreated,
        { account_id: accountId, api_key_id: issued.id, actor_id: createdBy },
        context,
      );
      return issued;
    });
    return {
      api_key_id: key.id,
      api_key: key.text,
      key_preview: key.preview,
      name,
      created_at: key.created_at,
      expires_at: key.expires_at,
      warning: WARNING,
    };
  }
}
