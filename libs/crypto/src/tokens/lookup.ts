import { createHash } from 'node:crypto';

/** Every bearer secret that is found by its hash. A VMK is not among them: it is stored nowhere. */
export type LookupKind = 'apikey' | 'vat' | 'dvak' | 'istk' | 'upload' | 'refresh' | 'link' | 'verification';

/**
 * The 32-byte index under which a bearer secret is stored: SHA-256(`vk/v1/lookup/<kind>` || secret).
 *
 * A plain hash is enough for secrets of 131 bits and more: they cannot be guessed, so a slow hash would only cost time.
 * The search by hash tells nothing about the secret through timing. Wrapping keys come from the same secret by another
 * derivation, so a stolen table of hashes opens nothing.
 */
export function lookupHash(kind: LookupKind, secret: Buffer): Buffer {
  return createHash('sha256').update(`vk/v1/lookup/${kind}`).update(secret).digest();
}
