import { Pattern, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { Closed } from '../core/schema.js';
import { OpenedSession, SESSION_BODY_BYTES_MAX, signInErrors } from './session.js';

@Closed()
export class AuthorizationCode {
  @Text({ min: 1, max: 512, description: 'The authorization code that the provider sent back.' })
  code: string;
  @Pattern(/^[A-Za-z0-9\-._~]{43,128}$/, {
    says: '43 to 128 characters of A-Z a-z 0-9 - . _ ~ (RFC 7636)',
    description: 'The PKCE verifier whose S256 challenge began the sign-in.',
  })
  code_verifier: string;
}

export const exchangeCode = operation({
  name: 'auth.exchange-code',
  summary: 'Opens a session for an authorization code of the identity provider (OIDC with PKCE).',
  http: { method: 'POST', path: '/v1/auth/identity/token', status: 200 },
  access: { credential: 'none' },
  session: 'opens',
  bodyBytesMax: SESSION_BODY_BYTES_MAX,
  body: AuthorizationCode,
  reply: OpenedSession,
  errors: signInErrors,
});
