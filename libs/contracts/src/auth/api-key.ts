import { Actor, ExactActor } from '../core/actor.js';
import { event } from '../core/event.js';
import { Example } from '../core/example.js';
import { Cursor, EpochSeconds, Flag, IdOf, Int, ListOf, Name, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { ActorField } from './account.js';

/** `expired` and `revoked` keys stay in the list but authenticate no request (KEY-13, KEY-15). */
export const apiKeyStatuses = ['active', 'expired', 'revoked'] as const;
export type ApiKeyStatus = (typeof apiKeyStatuses)[number];

/** Path parameters of operations on one API key. */
export class ApiKeyParams {
  @IdOf('key') api_key_id: string;
}

/** An API key without its secret. */
@Example({ name: 'Backup job', expires_at: null, revoked_at: null })
export class ApiKey {
  @IdOf('key') api_key_id: string;
  @Name({ max: 100 }) name: string;
  @Text({ max: 20, description: 'The last four characters of the key, masked.' }) key_preview: string;
  @OneOf(apiKeyStatuses) status: ApiKeyStatus;
  @EpochSeconds() created_at: number;
  @EpochSeconds({ nullable: true, description: 'null until the first use.' }) last_used_at: number | null;
  @EpochSeconds({ nullable: true, description: 'null: the key does not expire.' }) expires_at: number | null;
  @EpochSeconds({ nullable: true }) revoked_at: number | null;
}

/** Body of `createApiKey`. */
@Example({ name: 'Backup job' })
export class NewApiKey {
  @Name({ max: 100, description: 'The purpose of the key.' }) name: string;
  @Int({
    min: 1,
    max: 3_650,
    optional: true,
    description: 'Days until the key expires. Without it the key does not expire.',
  })
  expires_in_days?: number;
}

/** A new API key with its secret. */
@Example({ name: 'Backup job', expires_at: null, warning: 'Store this key now. It will not be shown again.' })
export class CreatedApiKey {
  @IdOf('key') api_key_id: string;
  @Text({ max: 100, description: 'The key. Returned only here.' }) api_key: string;
  @Text({ max: 20 }) key_preview: string;
  @Name({ max: 100 }) name: string;
  @EpochSeconds() created_at: number;
  @EpochSeconds({ nullable: true, description: 'null: the key does not expire.' }) expires_at: number | null;
  @Text({ max: 200 }) warning: string;
}

/** Creates an API key. */
export const createApiKey = operation({
  name: 'auth.create-api-key',
  summary: 'Creates an API key with full access to the account. The key is shown once.',
  http: { method: 'POST', path: '/v1/api-keys', status: 201 },
  idempotent: { id: 'api_key_id', secrets: ['api_key'] },
  access: { credential: 'key', role: 'admin' },
  body: NewApiKey,
  reply: CreatedApiKey,
});

/** Query of `listApiKeys`. */
export class ApiKeyQuery {
  @Int({ min: 1, max: 100, optional: true }) limit = 50;
  @Cursor() cursor?: string;
}

/** A page of API keys. */
export class ApiKeyPage {
  @ListOf(() => ApiKey) api_keys: ApiKey[];
  @Int({ description: 'Keys on this page.' }) count: number;
  @Int({ description: 'Active keys on this page.' }) active: number;
  @Flag() has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
}

/** Lists the API keys of the account. */
export const listApiKeys = operation({
  name: 'auth.list-api-keys',
  summary: 'Lists the API keys of the account, newest first, including revoked and expired ones.',
  http: { method: 'GET', path: '/v1/api-keys', status: 200 },
  access: { credential: 'key' },
  query: ApiKeyQuery,
  reply: ApiKeyPage,
  cursor: 'next_cursor',
  repeatable: true,
});

/** A revoked API key. */
@Example({ name: 'Backup job' })
export class RevokedApiKey {
  @IdOf('key') api_key_id: string;
  @OneOf(['revoked']) status: 'revoked';
  @EpochSeconds() revoked_at: number;
  @Name({ max: 100, optional: true, description: 'Absent if the key was already revoked.' })
  name?: string;
  @Text({ max: 200, optional: true, description: 'Present if the key was already revoked.' })
  message?: string;
}

/** Revokes an API key. */
export const revokeApiKey = operation({
  name: 'auth.revoke-api-key',
  summary: 'Revokes an API key at once. Repeating the request succeeds and keeps the first revoked_at.',
  http: { method: 'DELETE', path: '/v1/api-keys/{api_key_id}', status: 200 },
  access: { credential: 'key', role: 'admin' },
  params: ApiKeyParams,
  unknown: 'API_KEY_NOT_FOUND',
  reply: RevokedApiKey,
  errors: ['API_KEY_NOT_FOUND'],
});

/** Payload of API key events. */
export class ApiKeyChanged {
  @IdOf('acc') account_id: string;
  @IdOf('key') api_key_id: string;
  @ActorField() actor_id: string;
  @ExactActor() actor?: Actor;
}

export const apiKeyCreated = event({
  name: 'auth.api-key-created',
  payload: ApiKeyChanged,
  consumers: ['reporting'],
});
export const apiKeyRevoked = event({
  name: 'auth.api-key-revoked',
  payload: ApiKeyChanged,
  consumers: ['reporting', 'integrations'],
});
