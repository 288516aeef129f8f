import { Cursor, Flag, Int, ListOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { ApiKey } from './api-key.js';

export class ApiKeyQuery {
  @Int({ min: 1, max: 100, optional: true }) limit = 50;
  @Cursor() cursor?: string;
}

export class ApiKeyPage {
  @ListOf(() => ApiKey) api_keys: ApiKey[];
  @Int({ description: 'Keys on this page.' }) count: number;
  @Int({ description: 'Active keys on this page.' }) active: number;
  @Flag() has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
}

export const listApiKeys = operation({
  name: 'auth.list-api-keys',
  summary: "Lists the account's API keys, newest first, revoked and expired ones included.",
  http: { method: 'GET', path: '/v1/api-keys', status: 200 },
  access: { credential: 'key' },
  query: ApiKeyQuery,
  reply: ApiKeyPage,
  cursor: 'next_cursor',
  repeatable: true,
});
