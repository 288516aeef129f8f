import { EpochSeconds, IdOf, Name, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { ApiKeyParams } from './api-key.js';

export class RevokedApiKey {
  @IdOf('key') api_key_id: string;
  @OneOf(['revoked']) status: 'revoked';
  @EpochSeconds() revoked_at: number;
  @Name({ max: 100, optional: true, description: 'Absent when the key had been revoked before.' })
  name?: string;
  @Text({ max: 200, optional: true, description: 'Present when the key had been revoked before.' })
  message?: string;
}

export const revokeApiKey = operation({
  name: 'auth.revoke-api-key',
  summary: 'Revokes an API key at once. Repeating it succeeds and keeps the first time of revocation.',
  http: { method: 'DELETE', path: '/v1/api-keys/{api_key_id}', status: 200 },
  access: { credential: 'key', role: 'admin' },
  params: ApiKeyParams,
  unknown: 'API_KEY_NOT_FOUND',
  reply: RevokedApiKey,
  errors: ['API_KEY_NOT_FOUND'],
});
