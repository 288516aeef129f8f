import type { Schema } from '../client-types.js';
import { bytesOfBase64url, jsonOfBase64url } from './base64url.js';

/** The action of a recipient: the claims of a receipt. */
export interface Receipt {
  /** The issuer, an origin of the API. */
  readonly iss: string;
  /** The id of the receipt. */
  readonly jti: string;
  readonly sub: string;
  readonly action: string;
  readonly at: number;
  readonly iat: number;
  /** The Spark or file that the action was about. */
  readonly asset_id?: string;
  /** Receipts of files only: the vault of `asset_id`, and the version that the recipient opened. */
  readonly vault_id?: string;
  readonly version_id?: string;
  readonly size_bytes?: number;
  /** Receipts of files only: the hash of that version; null if it was uploaded before there were hashes. */
  readonly content_hash?: string | null;
  readonly [claim: string]: unknown;
}

/** The receipt is not one that a key of the set has signed. */
export class InvalidReceipt extends Error {
  override readonly name = 'InvalidReceipt';
}

/** This platform cannot verify Ed25519 signatures: browsers before Chrome 137, Firefox 129 and Safari 17. */
export class UnsupportedPlatform extends Error {
  override readonly name = 'UnsupportedPlatform';
}

/** The key set of the API, `/.well-known/jwks.json`. */
export type KeySet = Pick<Schema<'JwkSet'>, 'keys'>;

/** The settings of `verifyReceipt`. */
export interface ReceiptOptions {
  /** The origin that must have issued it. */
  readonly issuer?: string;
}

/**
 * Verifies a receipt offline. The keys of receipts stay in the key set for ever, so a set of today verifies old ones.
 * @param jws as the API returned it
 * @throws InvalidReceipt or UnsupportedPlatform
 */
export async function verifyReceipt(
  jws: string,
  { keys }: KeySet,
  { issuer }: ReceiptOptions = {},
): Promise<Receipt> {
  const [head = '', claims = '', signature = '', ...rest] = jws.split('.');
  const { alg, typ, kid } = partOf(head);
  // Access tokens are signed with keys of the same set; only their type tells them apart.
  if (rest.length > 0 || alg !== 'EdDSA' || typ !== 'receipt+jwt')
    throw new InvalidReceipt('This is no receipt.');
  const key = keys.find((known) => known.kid === kid && known.crv === 'Ed25519');
  if (!key) throw new InvalidReceipt('The key set does not have the key of this receipt.');
  const isSigned = await hasSigned(key, `${head}.${claims}`, bytesOfBase64url(signature));
  if (!isSigned) throw new InvalidReceipt('The signature is wrong.');
  const receipt = partOf(claims) as unknown as Receipt;
  if (issuer !== undefined && receipt.iss !== issuer)
    throw new InvalidReceipt(`The issuer is ${receipt.iss}, not ${issuer}.`);
  return receipt;
}

function partOf(text: string): Record<string, unknown> {
  const part = jsonOfBase64url(text);
  if (!part) throw new InvalidReceipt('This is no receipt.');
  return part;
}

async function hasSigned(
  { kty, crv, x }: KeySet['keys'][number],
  text: string,
  signature: Uint8Array<ArrayBuffer> | undefined,
): Promise<boolean> {
  if (!signature) return false;
  const { subtle } = crypto;
  try {
    const key = await subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']);
    return await subtle.verify('Ed25519', key, signature, new TextEncoder().encode(text));
  } catch (error) {
    if ((error as Error).name !== 'NotSupportedError') throw error;
    throw new UnsupportedPlatform('This platform cannot verify Ed25519 signatures.', { cause: error });
  }
}
