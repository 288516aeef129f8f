import {
  InvalidReceipt,
  UnsupportedPlatform,
  verifyReceipt,
  type Client,
  type Receipt,
} from '@vaultsvc/client';

/** The result of a check: the claims, if a published key has signed them. */
export type Finding =
  | { readonly kind: 'genuine'; readonly claims: Receipt; readonly keyId: string }
  /** Genuine, and of something else than what it is listed as. */
  | { readonly kind: 'other'; readonly claims: Receipt; readonly keyId: string }
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'unsupported' };

/** The claims that a receipt must have to be the one that a list shows. */
export type Expected = Readonly<Partial<Record<'send_id' | 'sub' | 'action' | 'at', string | number>>>;

/**
 * Verifies a receipt with WebCrypto and the key set that the API publishes. The receipt itself is sent nowhere. Rejects if the key set
 * cannot be read.
 */
export async function checkReceipt(client: Client, jws: string, expected: Expected = {}): Promise<Finding> {
  const { data: keys } = await client.GET('/.well-known/jwks.json');
  try {
    const claims = await verifyReceipt(jws, keys, { issuer: client.url });
    const isSame = Object.entries(expected).every(([name, value]) => claims[name] === value);
    return { kind: isSame ? 'genuine' : 'other', claims, keyId: keyIdOf(jws) };
  } catch (error) {
    if (error instanceof UnsupportedPlatform) return { kind: 'unsupported' };
    if (error instanceof InvalidReceipt) return { kind: 'invalid', reason: error.message };
    throw error;
  }
}

/** Of a receipt that was verified, so that its head is known to be right. */
function keyIdOf(jws: string): string {
  const head = jws.slice(0, jws.indexOf('.')).replaceAll('-', '+').replaceAll('_', '/');
  return String((JSON.parse(atob(head)) as { readonly kid?: unknown }).kid);
}

/** The JWS of what was pasted: itself, or the file that this application has saved. */
export function jwsOf(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return trimmed;
  try {
    const { jws } = JSON.parse(trimmed) as { readonly jws?: unknown };
    return typeof jws === 'string' ? jws : trimmed;
  } catch {
    return trimmed;
  }
}

/** A receipt as a file: the signed text, and what somebody needs to verify it without this application. */
export function receiptFile(client: Client, jws: string): string {
  return `${JSON.stringify({ jws, keys_url: `${client.url}/.well-known/jwks.json` }, null, 2)}\n`;
}
