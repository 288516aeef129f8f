import { operation } from '../core/operation.js';
import { User } from './user.js';

export const readProfile = operation({
  name: 'auth.read-profile',
  summary: "The caller's own person.",
  http: { method: 'GET', path: '/v1/profile', status: 200 },
  access: { credential: 'session' },
  reply: User,
  repeatable: true,
});
