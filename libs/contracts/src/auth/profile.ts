import { Name, Nested, OneOf } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { SessionAccount, SessionUser } from './session.js';
import { roles, seats, User } from './user.js';

/** The caller (OPEN-57). */
export class Me {
  @Nested(() => SessionUser, {
    nullable: true,
    description: 'null for an API key, which belongs to no user.',
  })
  user: SessionUser | null;
  @Nested(() => SessionAccount) account: SessionAccount;
  @OneOf(roles) role: (typeof roles)[number];
  @OneOf(seats) seat: (typeof seats)[number];
  @OneOf(['api_key', 'session']) credential: 'api_key' | 'session';
}

/** Reads the caller's identity and permissions. */
export const readMe = operation({
  name: 'auth.read-me',
  summary: 'Reads user, account, role and seat of the caller.',
  http: { method: 'GET', path: '/v1/me', status: 200 },
  access: { credential: 'key' },
  reply: Me,
  repeatable: true,
});

/** Reads the user of the session. */
export const readProfile = operation({
  name: 'auth.read-profile',
  summary: 'Reads the user of the session.',
  http: { method: 'GET', path: '/v1/profile', status: 200 },
  access: { credential: 'session' },
  reply: User,
  repeatable: true,
});

/** Body of `updateProfile`. */
export class ProfileChange {
  @Name({ max: 255 }) name: string;
}

/** Changes the name of the user of the session. */
export const updateProfile = operation({
  name: 'auth.update-profile',
  summary: 'Changes the name of the user of the session.',
  http: { method: 'PATCH', path: '/v1/profile', status: 200 },
  access: { credential: 'session' },
  body: ProfileChange,
  reply: User,
});
