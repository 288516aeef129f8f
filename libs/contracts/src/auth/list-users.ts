import { Cursor, Flag, Int, ListOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { User } from './user.js';

export class UserQuery {
  @Int({ min: 1, max: 100, optional: true }) limit = 50;
  @Cursor() cursor?: string;
}

export class UserPage {
  @ListOf(() => User) users: User[];
  @Int({ description: 'Users on this page.' }) count: number;
  @Flag() has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
}

export const listUsers = operation({
  name: 'auth.list-users',
  summary: 'Lists the people of the account, oldest first, invited ones included.',
  http: { method: 'GET', path: '/v1/users', status: 200 },
  access: { credential: 'key' },
  query: UserQuery,
  reply: UserPage,
  cursor: 'next_cursor',
  repeatable: true,
});
