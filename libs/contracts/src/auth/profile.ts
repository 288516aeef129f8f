import { exampleId } from '../core/example-values.js';
import { Example } from '../core/example.js';
import { ListOf, Name, Nested, OneOf } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { PendingInvitation } from './invitation.js';
import { SessionAccount, SessionUser } from './opened-session.js';
import { roles, seats, User } from './user.js';

/** The caller (OPEN-57, OPEN-59). An identity-only session has neither user nor account, role or seat. */
@Example({ user: null, role: 'admin' })
export class Me {
  @Nested(() => SessionUser, {
    nullable: true,
    description: 'null for an API key, which belongs to no user, and for an identity-only session.',
  })
  user: SessionUser | null;
  @Nested(() => SessionAccount, { nullable: true, description: 'null for an identity-only session.' })
  account: SessionAccount | null;
  @OneOf(roles, { nullable: true }) role: (typeof roles)[number] | null;
  @OneOf(seats, { nullable: true }) seat: (typeof seats)[number] | null;
  @OneOf(['api_key', 'session', 'identity_only']) credential: 'api_key' | 'session' | 'identity_only';
  @ListOf(() => PendingInvitation, {
    optional: true,
    description: 'Only for an identity-only session: the invitations that the person may accept or decline.',
  })
  invitations?: PendingInvitation[];
}

/** Reads the caller's identity and permissions. */
export const readMe = operation({
  name: 'auth.read-me',
  summary:
    'Reads user, account, role and seat of the caller; for an identity-only session the invitations of the person.',
  http: { method: 'GET', path: '/v1/me', status: 200 },
  access: { credential: 'any' },
  reply: Me,
  repeatable: true,
});

/** The user of the session. */
@Example({ user_id: exampleId('usr'), email: 'ana@example.com', name: 'Ana Example', role: 'owner' })
export class Profile extends User {}

/** Reads the user of the session. */
export const readProfile = operation({
  name: 'auth.read-profile',
  summary: 'Reads the user of the session.',
  http: { method: 'GET', path: '/v1/profile', status: 200 },
  access: { credential: 'session' },
  reply: Profile,
  repeatable: true,
});

/** Body of `updateProfile`. */
@Example({ name: 'Ana Example' })
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
  reply: Profile,
});
