import { Nested, OneOf } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { roles, seats, SessionAccount, SessionUser } from './session.js';

/** OPEN-57. */
export class Me {
  @Nested(() => SessionUser, { nullable: true, description: 'null for an API key, which is no user.' })
  user: SessionUser | null;
  @Nested(() => SessionAccount) account: SessionAccount;
  @OneOf(roles) role: (typeof roles)[number];
  @OneOf(seats) seat: (typeof seats)[number];
  @OneOf(['api_key', 'session']) credential: 'api_key' | 'session';
}

export const readMe = operation({
  name: 'auth.read-me',
  summary: 'Who is calling: the person, the account, and what they may do.',
  http: { method: 'GET', path: '/v1/me', status: 200 },
  access: { credential: 'key' },
  reply: Me,
  repeatable: true,
});
