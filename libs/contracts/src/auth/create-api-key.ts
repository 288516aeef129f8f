import { EpochSeconds, IdOf, Int, Name, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

export class NewApiKey {
  @Name({ max: 100, description: 'What the key is for.' }) name: string;
  @Int({ min: 1, max: 3_650, optional: true, description: 'Days until the key expires; omitted: never.' })
  expires_in_days?: number;
}

export class CreatedApiKey {
  @IdOf('key') api_key_id: string;
  @Text({ max: 100, description: 'The key. It is shown here and never again.' }) api_key: string;
  @Text({ max: 20 }) key_preview: string;
  @Name({ max: 100 }) name: string;
  @EpochSeconds() created_at: number;
  @EpochSeconds({ nullable: true, description: 'null: never.' }) expires_at: number | null;
  @Text({ max: 200 }) warning: string;
}

export const createApiKey = operation({
  name: 'auth.create-api-key',
  summary: 'Creates an API key with full access to the account. The key is shown once.',
  http: { method: 'POST', path: '/v1/api-keys', status: 201 },
  access: { credential: 'key', role: 'admin' },
  body: NewApiKey,
  reply: CreatedApiKey,
});
