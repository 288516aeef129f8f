import { ListOf, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** An Ed25519 public key as a JWK (RFC 8037, section 2). */
export class Jwk {
  @OneOf(['OKP']) kty: 'OKP';
  @OneOf(['Ed25519']) crv: 'Ed25519';
  @Text({ max: 43, description: 'The public key in base64url.' }) x: string;
  @Text({ max: 43, description: 'Its thumbprint (RFC 7638).' }) kid: string;
  @OneOf(['EdDSA']) alg: 'EdDSA';
  @OneOf(['sig']) use: 'sig';
}

export class JwkSet {
  @ListOf(() => Jwk) keys: Jwk[];
}

/** A new key stands here at least ten minutes before it signs, twice as long as the answer may be kept. */
export const readJwks = operation({
  name: 'auth.read-jwks',
  summary: 'The public keys that access tokens are verified with, as a JWK Set (RFC 7517).',
  http: { method: 'GET', path: '/.well-known/jwks.json', status: 200 },
  access: { credential: 'none' },
  reply: JwkSet,
  bare: true,
  maxAgeSeconds: 300,
  repeatable: true,
});
