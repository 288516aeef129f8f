import { Name } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { OpenedSession, SESSION_BODY_BYTES_MAX } from './session.js';

export class SignUp {
  @Name({ max: 255 }) organization_name: string;
  @Name({ max: 255, optional: true, description: 'Default: the name that the identity provider gave.' })
  full_name?: string;
}

export const completeSignup = operation({
  name: 'auth.complete-signup',
  summary: 'Makes an organization of which the signed-in identity is the owner, and opens a full session.',
  http: { method: 'POST', path: '/v1/auth/complete-signup', status: 200 },
  access: { credential: 'identity-only' },
  session: 'opens',
  bodyBytesMax: SESSION_BODY_BYTES_MAX,
  body: SignUp,
  reply: OpenedSession,
  errors: ['DOMAIN_CLAIMED', 'EMAIL_TAKEN', 'SIGNUP_COMPLETED', 'ORIGIN_REFUSED'],
});
