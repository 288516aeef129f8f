import { exampleTime } from '../core/example-values.js';
import { Example } from '../core/example.js';
import { EpochSeconds, Flag, Int, ListOf, OneOf, Pattern } from '../core/fields.js';
import { operation } from '../core/operation.js';

const EXAMPLE_SESSION = '0f4b9a52-7c1e-4d3a-9b68-2e5d1c7f8a90';

/** The id of a session family: a UUID in lower case. */
export const SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const SessionId = () =>
  Pattern(SESSION_ID, {
    max: 36,
    says: 'a UUID',
    description: 'The session family; entries of the audit log have it as `session_id`.',
  });

/** A live session of a user. */
@Example({ session_id: EXAMPLE_SESSION, client: 'web', last_used_at: exampleTime(3_600), current: true })
export class OwnSession {
  @SessionId() session_id: string;
  @EpochSeconds({ description: 'The sign-in.' }) created_at: number;
  @EpochSeconds({
    description:
      'The last refresh, or the sign-in: its access token may have been used for an hour after it.',
  })
  last_used_at: number;
  @EpochSeconds({ description: 'Each refresh extends it to 30 days.' }) expires_at: number;
  @OneOf(['web', 'program'], { description: 'web: a browser, whose refresh token is in a cookie.' })
  client: 'web' | 'program';
  @Flag({ description: 'Whether it is the session of this call.' }) current: boolean;
}

/** The live sessions of a user. */
export class OwnSessionList {
  @ListOf(() => OwnSession) sessions: OwnSession[];
  @Int({ min: 0, max: 100, description: 'Live sessions.' }) count: number;
}

/** Lists the live sessions of the user of the session; a user has 100 at most. */
export const listSessions = operation({
  name: 'auth.list-sessions',
  summary: 'Lists the live sessions of the user of the session, newest first.',
  http: { method: 'GET', path: '/v1/me/sessions', status: 200 },
  access: { credential: 'session' },
  reply: OwnSessionList,
  repeatable: true,
});

/** Path parameters of operations on one session. */
@Example({ session_id: EXAMPLE_SESSION })
export class OwnSessionParams {
  @SessionId() session_id: string;
}

/** Ends one session of the user of the session. It may be the one of the call. */
export const revokeSession = operation({
  name: 'auth.revoke-session',
  summary:
    'Ends a session of the user of the session, with its refresh token and all of its access tokens. Repeating it succeeds.',
  http: { method: 'DELETE', path: '/v1/me/sessions/{session_id}', status: 204 },
  access: { credential: 'session' },
  params: OwnSessionParams,
  unknown: 'SESSION_NOT_FOUND',
  errors: ['SESSION_NOT_FOUND'],
});
