import { Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { OpenedSession, SESSION_BODY_BYTES_MAX, signInErrors } from './session.js';

export class IdentityToken {
  @Text({ min: 1, max: 4_096, description: 'An ID token that the identity provider issued to our client.' })
  token: string;
}

export const verifyIdentity = operation({
  name: 'auth.verify-identity',
  summary: 'Opens a session for an ID token that the caller got from the identity provider itself.',
  http: { method: 'POST', path: '/v1/auth/identity/verify', status: 200 },
  access: { credential: 'none' },
  session: 'opens',
  bodyBytesMax: SESSION_BODY_BYTES_MAX,
  body: IdentityToken,
  reply: OpenedSession,
  errors: signInErrors,
});
