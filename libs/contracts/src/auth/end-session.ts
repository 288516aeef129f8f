import { operation } from '../core/operation.js';
import { RefreshToken } from './refresh-session.js';
import { SESSION_BODY_BYTES_MAX } from './session.js';

export const endSession = operation({
  name: 'auth.end-session',
  summary: 'Ends the session of a refresh token, with all its access tokens. Junk ends nothing and succeeds.',
  http: { method: 'POST', path: '/v1/auth/logout', status: 204 },
  access: { credential: 'none' },
  session: 'ends',
  bodyBytesMax: SESSION_BODY_BYTES_MAX,
  body: RefreshToken,
  errors: ['ORIGIN_REFUSED'],
});
