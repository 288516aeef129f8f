import { operation } from '../core/operation.js';
import { UserParams } from './user.js';

export const removeUser = operation({
  name: 'auth.remove-user',
  summary:
    'Removes a person from the account and ends their sessions. Their seat and their address are free.',
  http: { method: 'DELETE', path: '/v1/users/{user_id}', status: 204 },
  access: { credential: 'key', role: 'admin' },
  params: UserParams,
  unknown: 'USER_NOT_FOUND',
  errors: ['USER_NOT_FOUND', 'LAST_OWNER'],
});
