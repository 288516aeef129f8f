import { form, id, is, map, opt, orNull, text, time } from './notation.js';
import { law } from './row.js';
import { issued, length, may, must, oneOf, refused } from './rules.js';

/** A JWT (RFC 7519). */
const jwt = form(/^[\w-]+\.[\w-]+\.[\w-]+$/);
const role = is('owner', 'admin', 'member');

export const user = { user_id: id('usr'), email: text, name: text, role };
export const account = {
  account_id: id('acc'),
  organization_name: text,
  status: text,
};

export const invitation = {
  invitation_id: id('usr'),
  organization_name: text,
  role,
  invited_by: orNull(text),
  expires_at: time,
};

/** Native and server clients get the refresh token in the body (AUTH-30). */
const tokens = { access_token: jwt, refresh_token: opt(text) };

/** Of a new identity both are null, and its invitations are listed (AUTH-06, OPEN-59). */
const signedIn = {
  ...tokens,
  user: orNull(user),
  account: orNull(account),
  invitations: opt([invitation]),
};

export const registered = { ...tokens, user, account };

export const sessions = law({
  'POST /v1/auth/identity/token': {
    law: 'AUTH-01 AUTH-02 AUTH-03 AUTH-05 AUTH-06 OPEN-02 AMB-20',
    by: 'none',
    status: 200,
    query: { redirect: refused(may(oneOf('console'))) }, // the console signs in through its own redirect URI (OPEN-65)
    body: { code: issued(must(length(1, 512))), code_verifier: issued(must(length(43, 128))) },
    data: signedIn,
    errors: ['401 UNAUTHORIZED'],
  },
  'POST /v1/auth/identity/verify': {
    law: 'AUTH-08 OPEN-02 AMB-20',
    by: 'none',
    status: 200,
    body: { token: issued(must(length(1, 4_096))) },
    data: signedIn,
    errors: ['401 UNAUTHORIZED'],
  },
  'POST /v1/auth/complete-signup': {
    law: 'AUTH-09 AUTH-10 AUTH-11 AUTH-12 OPEN-02',
    by: 'identity-only',
    status: 200,
    body: { organization_name: must(length(1, 255)), full_name: may(length(0, 255)) },
    data: registered,
    errors: ['403 FORBIDDEN'],
  },
  'POST /v1/auth/refresh': {
    law: 'AUTH-13 AUTH-15 AUTH-16 OPEN-02 AMB-20',
    by: 'none',
    status: 200,
    body: { refresh_token: issued(may(length(1, 1_024))) },
    data: {
      ...tokens,
      token_type: is('Bearer'),
      expires_in: is(3_600),
      session_type: is('full', 'identity_only'),
      user: orNull(user),
      account: orNull(account),
    },
    errors: ['401 UNAUTHORIZED', '401 TOKEN_REPLAY', '403 FORBIDDEN'], // a foreign Origin, OPEN-59
  },
  'POST /v1/auth/logout': {
    law: 'AUTH-25 AUTH-26',
    by: 'none',
    status: 204,
    body: { refresh_token: may(length(1, 1_024)) },
    errors: ['403 FORBIDDEN'], // a foreign Origin, OPEN-59
  },
  'POST /v1/auth/viewer-token': {
    law: 'AUTH-27 OPEN-02 OPEN-08',
    status: 200,
    data: { viewer_token: jwt, expires_in: is(300) },
  },
  'GET /.well-known/jwks.json': {
    law: 'OPEN-36 OPEN-56 NTF-27',
    by: 'none',
    status: 200,
    bare: true,
    data: { keys: [map()] }, // JSON Web Keys (RFC 7517)
  },
});
