import { Flag, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

export class CredentialReference {
  @OneOf(['api_key', 'session']) kind: 'api_key' | 'session';
  @Text({ min: 1, max: 128, description: 'Lookup hash of the API key in hex, or the id of the session.' })
  key: string;
}

export class ResolvedCredential {
  /** Whether the credential authenticates now; its record is then in Redis. */
  @Flag() found: boolean;
}

export const resolveCredential = operation({
  name: 'auth.resolve-credential',
  summary: 'Puts the current record of a credential into the cache that requests are admitted by.',
  access: 'internal',
  body: CredentialReference,
  reply: ResolvedCredential,
  repeatable: true,
});
