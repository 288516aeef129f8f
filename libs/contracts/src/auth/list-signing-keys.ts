import { Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

export class SigningKeys {
  @Text({ max: 65_536, description: 'A JWK Set (RFC 7517, section 5) as JSON.' }) keys_json: string;
}

export const listSigningKeys = operation({
  name: 'auth.list-signing-keys',
  summary: 'The public keys that access tokens are verified with, for verifiers inside the platform.',
  access: 'internal',
  reply: SigningKeys,
  repeatable: true,
});
