import type { Case } from './row.js';
import { account, invitation, registered, user } from './sessions.js';
import { bool, id, int, is, map, opt, orNull, page, text, time } from './notation.js';
import { law } from './row.js';
import { cursor, length, may, must, object, oneOf, range, words } from './rules.js';

const seat = is('full', 'viewer');

/** Ours: no table keeps an address or a user agent of a session. */
const session = {
  session_id: text,
  created_at: time,
  last_used_at: time,
  expires_at: time,
  client: is('web', 'program'),
  current: bool,
};

export const people = law({
  'GET /v1/users': {
    law: 'OPEN-33 OPEN-57',
    status: 200,
    query: { limit: may(range(1, 100), 50), cursor: may(cursor) },
    data: page('users', row()),
  },
  'POST /v1/users': {
    law: 'OPEN-33 OPEN-57 OPEN-59 OPEN-02',
    role: 'admin',
    status: 201,
    cases: ownersOnly(),
    body: {
      email: must(words),
      name: may(length(1, 255)),
      role: may(oneOf('owner', 'admin', 'member')),
      seat: may(oneOf('full', 'viewer')),
    },
    data: row(),
    errors: ['403 FORBIDDEN', '409 CONFLICT'], // another organization's domain; seats exhausted, or known already
  },
  'POST /v1/users/{user_id}/invitation/resend': {
    law: 'OPEN-59',
    role: 'admin',
    status: 200,
    data: { user_id: id('usr'), resent: is(true), sent_at: time, expires_at: time },
    errors: ['403 FORBIDDEN', '409 CONFLICT'], // another organization's domain, an owner; accepted, or too often
  },
  'PATCH /v1/users/{user_id}': {
    law: 'OPEN-33 OPEN-57 OPEN-59',
    role: 'admin',
    status: 200,
    cases: ownersOnly(),
    body: {
      name: may(length(1, 255)),
      role: may(oneOf('owner', 'admin', 'member')),
      seat: may(oneOf('full', 'viewer')),
    },
    data: row(),
    errors: ['403 FORBIDDEN', '409 CONFLICT'], // owners are touched by owners; the last owner
  },
  'DELETE /v1/users/{user_id}': {
    law: 'OPEN-33 OPEN-57 OPEN-59',
    role: 'admin',
    status: 204,
    errors: ['403 FORBIDDEN', '409 CONFLICT'],
  },
  'POST /v1/invitations/{invitation_id}/accept': {
    law: 'OPEN-59 AMB-19',
    by: 'identity-only',
    status: 200,
    data: registered,
    errors: ['403 FORBIDDEN', '409 CONFLICT'],
  },
  'POST /v1/invitations/{invitation_id}/decline': {
    law: 'OPEN-59 AMB-19',
    by: 'identity-only',
    status: 200,
    data: { invitation_id: id('usr'), declined: is(true) },
  },
});

/** Only a session of an owner grants the role owner (R1). */
function ownersOnly(): Case[] {
  const body = { role: 'owner' };
  return (['API key', 'admin'] as const).map((by) => ({ law: 'OPEN-59', by, body, answer: '403 FORBIDDEN' }));
}

/** The name is null until an invited person has one (OPEN-57). */
function row() {
  return { ...user, name: orNull(text), seat, status: is('invited', 'active'), created_at: time };
}

export const selves = law({
  'GET /v1/me': {
    law: 'OPEN-57 OPEN-59 AMB-19',
    by: 'any',
    status: 200,
    data: {
      user: orNull(user), // null for an API key and an identity without an account
      account: orNull(account),
      role: orNull(user.role),
      seat: orNull(seat),
      credential: is('api_key', 'session', 'identity_only'),
      invitations: opt([invitation]), // of an identity-only session
    },
  },
  'GET /v1/me/sessions': {
    law: 'AUTH-26 OPEN-57',
    by: 'session',
    status: 200,
    data: { sessions: [session], count: int },
  },
  'DELETE /v1/me/sessions/{session_id}': { law: 'AUTH-26 OPEN-57', by: 'session', status: 204 },
  'GET /v1/profile': { law: 'OPEN-33', by: 'session', status: 200, data: row() },
  'PATCH /v1/profile': {
    law: 'OPEN-33',
    by: 'session',
    status: 200,
    body: { name: must(length(1, 255)) },
    data: row(),
  },
  'GET /v1/account': { law: 'ACC-01 OPEN-30', status: 200, data: ownAccount() },
  'PUT /v1/account': {
    law: 'ACC-02 OPEN-30',
    role: 'admin',
    status: 200,
    body: { organization_name: may(length(1, 255)), logo_url_light: may(words), logo_url_dark: may(words) },
    data: ownAccount(),
  },
  'DELETE /v1/account/logo': {
    law: 'ACC-03 OPEN-30',
    role: 'admin',
    status: 200,
    data: { deleted: is(true) },
  },
  'GET /v1/settings': { law: 'OPEN-33 OPEN-57', status: 200, data: { settings: map() } },
  'PUT /v1/settings': {
    law: 'OPEN-33 OPEN-57',
    role: 'admin',
    status: 200,
    body: { settings: must(object) },
    data: { settings: map() },
  },
});

function ownAccount() {
  return { ...account, logo_url_light: orNull(text), logo_url_dark: orNull(text), created_at: time };
}
