import { Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** The path of the console's redirect URI on the API's origin (OPEN-65). */
export const CONSOLE_CALLBACK = '/console/callback';

/** The parameters with which the console starts a sign-in at the identity provider; none of them is secret. */
export class SignInClient {
  @Text({ max: 2_048, description: 'The `iss` of the redirect (RFC 9207) and of tokens.' }) issuer: string;
  @Text({ max: 2_048 }) authorization_endpoint: string;
  @Text({ max: 1_024 }) client_id: string;
  @Text({ max: 2_048, description: 'The redirect URI of the console, registered at the provider.' })
  redirect_uri: string;
}

/** Reads the registration of the console at the identity provider. 500 while the provider was never reached. */
export const readSignInClient = operation({
  name: 'auth.read-sign-in-client',
  summary: 'Reads the authorization endpoint of the identity provider and our client there.',
  access: 'internal',
  callers: ['gateway'],
  reply: SignInClient,
  repeatable: true,
});
