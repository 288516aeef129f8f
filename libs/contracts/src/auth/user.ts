import { Actor, ExactActor } from '../core/actor.js';
import { event } from '../core/event.js';
import { EXAMPLE_MEMBER, exampleTime } from '../core/example-values.js';
import { Example } from '../core/example.js';
import { Cursor, Email, EpochSeconds, Flag, IdOf, Int, ListOf, Name, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { ActorField } from './account.js';

export const roles = ['owner', 'admin', 'member'] as const;
export const seats = ['full', 'viewer'] as const;

/** A user of an account (OPEN-57). The status is `invited` until the person accepts; the name may be null until then. */
@Example({ ...EXAMPLE_MEMBER, status: 'active' })
export class User {
  @IdOf('usr') user_id: string;
  @Text({ max: 254 }) email: string;
  @Text({ max: 255, nullable: true }) name: string | null;
  @OneOf(roles) role: (typeof roles)[number];
  @OneOf(seats) seat: (typeof seats)[number];
  @OneOf(['invited', 'active']) status: 'invited' | 'active';
  @EpochSeconds() created_at: number;
}

/** A user who was invited now. */
@Example({ name: null, status: 'invited' })
export class PendingUser extends User {}

/** Path parameters of operations on one user. */
@Example({ user_id: EXAMPLE_MEMBER.user_id })
export class UserParams {
  @IdOf('usr') user_id: string;
}

/** Body of `inviteUser`. */
@Example({ email: EXAMPLE_MEMBER.email })
export class Invitation {
  @Email() email: string;
  @Name({
    max: 255,
    optional: true,
    description: 'The name until the person joins, if the identity provider has none.',
  })
  name?: string;
  @OneOf(roles, { optional: true }) role: (typeof roles)[number] = 'member';
  @OneOf(seats, { optional: true }) seat: (typeof seats)[number] = 'full';
}

/** Invites a user. */
export const inviteUser = operation({
  name: 'auth.invite-user',
  summary:
    'Invites a person by e-mail. The person signs in with the address and accepts within 14 days; until then DELETE withdraws the invitation. Only an owner, with a session, may invite an owner.',
  http: { method: 'POST', path: '/v1/users', status: 201 },
  idempotent: { id: 'user_id' },
  access: { credential: 'key', role: 'admin' },
  body: Invitation,
  reply: PendingUser,
  errors: [
    'OWNER_SESSION_REQUIRED',
    'EMAIL_TAKEN',
    'DOMAIN_CLAIMED',
    'SEATS_EXHAUSTED',
    'INVITATIONS_EXHAUSTED',
  ],
});

/** An invitation that was sent again. */
@Example({ user_id: EXAMPLE_MEMBER.user_id, expires_at: exampleTime(14 * 86_400) })
export class ResentInvitation {
  @IdOf('usr') user_id: string;
  @Flag({ description: 'Always true.' }) resent: true;
  @EpochSeconds() sent_at: number;
  @EpochSeconds({ description: '14 days after sent_at.' }) expires_at: number;
}

/** Sends the mail of an open invitation again, which is then valid for 14 days from now. */
export const resendInvitation = operation({
  name: 'auth.resend-invitation',
  summary:
    'Sends an invitation again, and extends it to 14 days from now. Mails that were sent before stay valid. Only an owner, with a session, may send that of an owner.',
  http: { method: 'POST', path: '/v1/users/{user_id}/invitation/resend', status: 200 },
  access: { credential: 'key', role: 'admin' },
  params: UserParams,
  unknown: 'USER_NOT_FOUND',
  reply: ResentInvitation,
  errors: [
    'USER_NOT_FOUND',
    'INVITATION_NOT_OPEN',
    'OWNER_SESSION_REQUIRED',
    'EMAIL_TAKEN',
    'DOMAIN_CLAIMED',
    'INVITATIONS_EXHAUSTED',
  ],
});

/** Query of `listUsers`. */
export class UserQuery {
  @Int({ min: 1, max: 100, optional: true }) limit = 50;
  @Cursor() cursor?: string;
}

/** A page of users. */
export class UserPage {
  @ListOf(() => User) users: User[];
  @Int({ description: 'Users on this page.' }) count: number;
  @Flag() has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
}

/** Lists the users of the account. */
export const listUsers = operation({
  name: 'auth.list-users',
  summary: 'Lists the users of the account, oldest first, including invited ones.',
  http: { method: 'GET', path: '/v1/users', status: 200 },
  access: { credential: 'key' },
  query: UserQuery,
  reply: UserPage,
  cursor: 'next_cursor',
  repeatable: true,
});

/** Body of `updateUser`: at least one field. */
@Example({ role: EXAMPLE_MEMBER.role })
export class UserChange {
  @OneOf(roles, { optional: true }) role?: (typeof roles)[number];
  @OneOf(seats, { optional: true }) seat?: (typeof seats)[number];
  @Name({ max: 255, optional: true }) name?: string;
}

/** Changes a user. */
export const updateUser = operation({
  name: 'auth.update-user',
  summary:
    'Changes role, seat or name of a user; at least one is required. The change applies from the next request on. Only an owner, with a session, may change an owner or make one.',
  http: { method: 'PATCH', path: '/v1/users/{user_id}', status: 200 },
  access: { credential: 'key', role: 'admin' },
  params: UserParams,
  unknown: 'USER_NOT_FOUND',
  body: UserChange,
  reply: User,
  errors: ['USER_NOT_FOUND', 'OWNER_SESSION_REQUIRED', 'LAST_OWNER'],
});

/** Removes a user. */
export const removeUser = operation({
  name: 'auth.remove-user',
  summary:
    'Removes a user from the account and ends their sessions, or withdraws an invitation. Seat and e-mail address become free. Only an owner, with a session, may remove an owner.',
  http: { method: 'DELETE', path: '/v1/users/{user_id}', status: 204 },
  access: { credential: 'key', role: 'admin' },
  params: UserParams,
  unknown: 'USER_NOT_FOUND',
  errors: ['USER_NOT_FOUND', 'OWNER_SESSION_REQUIRED', 'LAST_OWNER'],
});

/** Payload of `userAdded`: the user occupies a seat of the identity pool. */
export class UserAdded {
  @IdOf('acc') account_id: string;
  @IdOf('usr') user_id: string;
}

/**
 * Payload of `userRemoved`. The address is read with `describeInvitation`. The actor of an invitation that
 * was declined is its user. `actor` is present if it has expired: a job removes it.
 */
export class UserInvited extends UserAdded {
  @ActorField() actor_id: string;
  @ExactActor() actor?: Actor;
}

/** Payload of `userInvited`. */
export class InvitationSent extends UserInvited {
  @Flag({ optional: true, description: 'true: the invitation was sent again.' }) resent?: boolean;
}

/** Payload of `userJoined`: an invited person accepted, or the owner of a first account signed in (OPEN-62). */
export class UserJoined extends UserAdded {}

/** Payload of `userChanged`: role and seat after the change. `previous_role` is present if the role is another one. */
export class UserChanged extends UserInvited {
  @OneOf(roles) role: (typeof roles)[number];
  @OneOf(roles, { optional: true }) previous_role?: (typeof roles)[number];
  @OneOf(seats) seat: (typeof seats)[number];
}

export const userAdded = event({ name: 'auth.user-added', payload: UserAdded, consumers: ['reporting'] });
export const userInvited = event({
  name: 'auth.user-invited',
  payload: InvitationSent,
  consumers: ['notify', 'reporting'],
});
export const userJoined = event({ name: 'auth.user-joined', payload: UserJoined, consumers: ['reporting'] });
export const userChanged = event({
  name: 'auth.user-changed',
  payload: UserChanged,
  consumers: ['reporting'],
});
/** The user's seat is free: reporting releases it, vaults revokes the delegated keys of the user, and forge the URLs. */
export const userRemoved = event({
  name: 'auth.user-removed',
  payload: UserInvited,
  consumers: ['reporting', 'vaults', 'forge', 'integrations'],
});
