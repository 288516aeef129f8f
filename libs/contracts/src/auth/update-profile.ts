import { Name } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { User } from './user.js';

export class ProfileChange {
  @Name({ max: 255 }) name: string;
}

export const updateProfile = operation({
  name: 'auth.update-profile',
  summary: "Changes the caller's own name.",
  http: { method: 'PATCH', path: '/v1/profile', status: 200 },
  access: { credential: 'session' },
  body: ProfileChange,
  reply: User,
});
