import { Example } from '../core/example.js';
import { ListOf, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** An Ed25519 public key as a JWK (RFC 8037, section 2). */
@Example({
  x: 'xk0pbfRGZa7wJ_6VEmXHEY1Sbrt5XFgd-iZLx831IQM',
  kid: 'tOPS-a2o19nKCYPKPy9kQuoU7JG7MMIXtQivBFOUjJY',
})
export class Jwk {
  @OneOf(['OKP']) kty: 'OKP';
  @OneOf(['Ed25519']) crv: 'Ed25519';
  @Text({ max: 43, description: 'The public key in base64url.' }) x: string;
  @Text({ max: 43, description: 'The thumbprint of the key (RFC 7638).' }) kid: string;
  @OneOf(['EdDSA']) alg: 'EdDSA';
  @OneOf(['sig']) use: 'sig';
}

/** A JWK Set (RFC 7517, section 5). */
export class JwkSet {
  @ListOf(() => Jwk) keys: Jwk[];
}

/**
 * A new key is published at least ten minutes before it signs: twice the time that a reply may be cached. Keys of receipts stay
 * for ever; `typ` of a signature says whether it is one (NTF-45).
 */
export const readJwks = operation({
  name: 'auth.read-jwks',
  summary: 'Returns the public keys that verify access tokens and receipts, as a JWK Set (RFC 7517).',
  http: { method: 'GET', path: '/.well-known/jwks.json', status: 200 },
  access: { credential: 'none' },
  reply: JwkSet,
  bare: true,
  maxAgeSeconds: 300,
  repeatable: true,
});

/** The keys of access tokens for verifiers inside the platform. */
export class SigningKeys {
  @Text({ max: 65_536, description: 'A JWK Set (RFC 7517, section 5) as JSON.' }) keys_json: string;
}

/** Returns the public keys to services that verify access tokens. Keys of receipts are not among them. */
export const listSigningKeys = operation({
  name: 'auth.list-signing-keys',
  summary: 'Returns the public keys that verify access tokens.',
  access: 'internal',
  callers: ['gateway'],
  reply: SigningKeys,
  repeatable: true,
});
