import { Actor, ExactActor } from '../core/actor.js';
import type { ErrorReason } from '../core/errors.js';
import { event } from '../core/event.js';
import { EXAMPLE_REFRESH_TOKEN } from '../core/example-values.js';
import { Example } from '../core/example.js';
import { IdOf, Int, ListOf, Name, OneOf, Pattern, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { Closed } from '../core/schema.js';
import { PendingInvitation } from './invitation.js';
import { OpenedSession, RegisteredSession, SESSION_BODY_BYTES_MAX } from './opened-session.js';

/** The session of a sign-in. */
export class SignInSession extends OpenedSession {
  @ListOf(() => PendingInvitation, {
    optional: true,
    description: 'Only in an identity-only session: the invitations that the person may accept or decline.',
  })
  invitations?: PendingInvitation[];
}

/** Errors of a sign-in, from the identity provider or from the rules of the account. */
const signInErrors = [
  'IDENTITY_REFUSED',
  'EMAIL_NOT_VERIFIED',
  'ACCOUNT_SUSPENDED',
  'ORIGIN_REFUSED',
] as const satisfies readonly ErrorReason[];

/** Body of `exchangeCode`. */
@Closed()
export class AuthorizationCode {
  @Text({ min: 1, max: 512, description: 'The authorization code from the identity provider.' })
  code: string;
  @Pattern(/^[A-Za-z0-9\-._~]{43,128}$/, {
    says: '43 to 128 characters of A-Z a-z 0-9 - . _ ~ (RFC 7636)',
    description: 'The PKCE code verifier. Its S256 challenge was sent with the authorization request.',
  })
  code_verifier: string;
}

/** Query of `exchangeCode`. The body admits no redirect URI (AUTH-03), but the provider requires the one that was used. */
export class CodeReceiver {
  @OneOf(['console'], {
    optional: true,
    description:
      'console: the code was sent to the console, `/console/callback` of this origin. Default: to the page of the deployment.',
  })
  redirect?: 'console';
}

/** Signs in with an authorization code (RFC 7636). */
export const exchangeCode = operation({
  name: 'auth.exchange-code',
  summary: 'Opens a session for an authorization code of the identity provider (OIDC with PKCE).',
  http: { method: 'POST', path: '/v1/auth/identity/token', status: 200 },
  access: { credential: 'none' },
  session: 'opens',
  bodyBytesMax: SESSION_BODY_BYTES_MAX,
  query: CodeReceiver,
  body: AuthorizationCode,
  reply: SignInSession,
  errors: signInErrors,
});

/** Body of `verifyIdentity`. */
@Example({
  token: 'eyJhbGciOiJFUzI1NiIsImtpZCI6ImRlYjY2NTJhIn0.eyJlbWFpbCI6ImFuYUBleGFtcGxlLmNvbSJ9.c2lnbmF0dXJl',
})
export class IdentityToken {
  @Text({
    min: 1,
    max: 4_096,
    description: 'An ID token that the identity provider issued to our client id. It is accepted once.',
  })
  token: string;
}

/** Signs in with an ID token. */
export const verifyIdentity = operation({
  name: 'auth.verify-identity',
  summary: 'Opens a session for an ID token that the caller received from the identity provider.',
  http: { method: 'POST', path: '/v1/auth/identity/verify', status: 200 },
  access: { credential: 'none' },
  session: 'opens',
  bodyBytesMax: SESSION_BODY_BYTES_MAX,
  body: IdentityToken,
  reply: SignInSession,
  errors: signInErrors,
});

/** Body of `completeSignup`. */
export class SignUp {
  @Name({ max: 255 }) organization_name: string;
  @Name({
    min: 0,
    max: 255,
    optional: true,
    description: 'Absent or empty: the name from the identity provider.',
  })
  full_name?: string;
}

/** Creates the account of a signed-in identity. */
export const completeSignup = operation({
  name: 'auth.complete-signup',
  summary: 'Creates an organization that the signed-in identity owns, and opens a full session.',
  http: { method: 'POST', path: '/v1/auth/complete-signup', status: 200 },
  access: { credential: 'identity-only' },
  session: 'opens',
  bodyBytesMax: SESSION_BODY_BYTES_MAX,
  body: SignUp,
  reply: RegisteredSession,
  errors: ['DOMAIN_CLAIMED', 'EMAIL_TAKEN', 'SIGNUP_COMPLETED', 'ORIGIN_REFUSED'],
});

/** A short-lived viewer token. */
@Example({ expires_in: 300 })
export class ViewerToken {
  @Text({ max: 4_096 }) viewer_token: string;
  @Int({ description: 'Lifetime in seconds, always 300.' }) expires_in: number;
}

/** Issues a viewer token. */
export const mintViewerToken = operation({
  name: 'auth.mint-viewer-token',
  summary: 'Issues a viewer token for five minutes. It authorizes no account route.',
  http: { method: 'POST', path: '/v1/auth/viewer-token', status: 200 },
  access: { credential: 'key' },
  reply: ViewerToken,
});

/** Body of `refreshSession` and `endSession`. */
@Example({ refresh_token: EXAMPLE_REFRESH_TOKEN })
export class RefreshToken {
  @Text({
    min: 1,
    max: 1_024,
    optional: true,
    description: 'Browsers omit it, because they send the cookie.',
  })
  refresh_token?: string;
}

/** A renewed session, with the next refresh token. */
@Example({ refresh_token: 'vkr_Ab8yR3nWq6XvM2kLs9TpZjUAAAACd1Vx5Tn9Qe0Kc7Wm3Hy6Ru4Zi8Bo2Ls1Pa5Gf7Dj9' })
export class RefreshedSession extends OpenedSession {
  @OneOf(['Bearer']) token_type: 'Bearer';
  @Int({ min: 1, description: 'Lifetime of the access token in seconds.' }) expires_in: number;
  @OneOf(['full', 'identity_only']) session_type: 'full' | 'identity_only';
}

/** Rotates the refresh token. */
export const refreshSession = operation({
  name: 'auth.refresh-session',
  summary: 'Exchanges a refresh token for the next one and a new access token.',
  http: { method: 'POST', path: '/v1/auth/refresh', status: 200 },
  access: { credential: 'none' },
  session: 'renews',
  bodyBytesMax: SESSION_BODY_BYTES_MAX,
  body: RefreshToken,
  reply: RefreshedSession,
  errors: ['REFRESH_TOKEN_INVALID', 'TOKEN_REPLAY', 'ORIGIN_REFUSED'],
});

/** Ends a session. Idempotent. */
export const endSession = operation({
  name: 'auth.end-session',
  summary:
    'Ends the session of a refresh token with all of its access tokens. An invalid token succeeds and ends nothing.',
  http: { method: 'POST', path: '/v1/auth/logout', status: 204 },
  access: { credential: 'none' },
  session: 'ends',
  bodyBytesMax: SESSION_BODY_BYTES_MAX,
  body: RefreshToken,
  errors: ['ORIGIN_REFUSED'],
});

/** Payload of session events. Identity-only sessions have none, because no account's audit trail could hold them. */
export class SessionChanged {
  @IdOf('acc') account_id: string;
  @IdOf('usr') user_id: string;
  @Text({ max: 36, description: 'The session family.' }) session_id: string;
  @Text({ max: 45, nullable: true }) client_ip: string | null;
  @Text({ max: 256, nullable: true }) user_agent: string | null;
  /** Present if the user did not end the session. */
  @ExactActor() actor?: Actor;
}

export const sessionOpened = event({
  name: 'auth.session-opened',
  payload: SessionChanged,
  consumers: ['reporting'],
});
export const sessionEnded = event({
  name: 'auth.session-ended',
  payload: SessionChanged,
  consumers: ['reporting'],
});
/** A used refresh token was presented again: the session was ended, because the token may be stolen. */
export const sessionReplayed = event({
  name: 'auth.session-replayed',
  payload: SessionChanged,
  consumers: ['reporting'],
});
