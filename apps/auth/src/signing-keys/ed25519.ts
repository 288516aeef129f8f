import { generateKeyPairSync, webcrypto } from 'node:crypto';
import type { Jwk } from '@vaultsvc/contracts/auth';
import { calculateJwkThumbprint } from 'jose';

export interface NewKeyPair {
  /** The key's RFC 7638 thumbprint, which cannot be chosen. */
  readonly kid: string;
  /** `x` of the JWK (RFC 8037, section 2). */
  readonly publicKey: string;
  /** PKCS #8 in DER. The caller fills it with 0 when done. */
  readonly privateKey: Buffer;
}

export async function generateEd25519(): Promise<NewKeyPair> {
  const pair = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  // SPKI of Ed25519 is a fixed prefix and the 32 bytes of the key (RFC 8410, section 4).
  const publicKey = pair.publicKey.subarray(-32).toString('base64url');
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x: publicKey });
  return { kid, publicKey, privateKey: pair.privateKey };
}

/**
 * Imports a non-extractable signing key; the input can be wiped afterwards. Not a KeyObject: jose would export that as a JWK,
 * and strings cannot be wiped.
 */
export function importPrivateKey(pkcs8: Buffer): Promise<webcrypto.CryptoKey> {
  return webcrypto.subtle.importKey('pkcs8', pkcs8, { name: 'Ed25519' }, false, ['sign']);
}

export function publicJwk(kid: string, publicKey: string): Jwk {
  return { kty: 'OKP', crv: 'Ed25519', x: publicKey, kid, alg: 'EdDSA', use: 'sig' };
}
