import { Name, OneOf } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { roles, seats } from './session.js';
import { User, UserParams } from './user.js';

export class UserChange {
  @OneOf(roles, { optional: true }) role?: (typeof roles)[number];
  @OneOf(seats, { optional: true }) seat?: (typeof seats)[number];
  @Name({ max: 255, optional: true }) name?: string;
}

export const updateUser = operation({
  name: 'auth.update-user',
  summary: "Changes a person's role, seat or name; at least one. It holds from the next request on.",
  http: { method: 'PATCH', path: '/v1/users/{user_id}', status: 200 },
  access: { credential: 'key', role: 'admin' },
  params: UserParams,
  unknown: 'USER_NOT_FOUND',
  body: UserChange,
  reply: User,
  errors: ['USER_NOT_FOUND', 'LAST_OWNER'],
});
