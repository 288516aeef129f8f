import { Int, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { OpenedSession, SESSION_BODY_BYTES_MAX } from './session.js';

export class RefreshToken {
  @Text({ min: 1, max: 1_024, optional: true, description: 'Browsers leave it out: theirs is in a cookie.' })
  refresh_token?: string;
}

export class RefreshedSession extends OpenedSession {
  @OneOf(['Bearer']) token_type: 'Bearer';
  @Int({ min: 1, description: 'Seconds that the access token is valid.' }) expires_in: number;
  @OneOf(['full', 'identity_only']) session_type: 'full' | 'identity_only';
}

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
