import { hkdfSync } from 'node:crypto';
import { lp } from '../encoding/index.js';
import type { Label } from '../labels.js';

const INFO_BYTES_MAX = 1_024; // Node's own limit for HKDF info.

/**
 * HKDF-SHA-256 (RFC 5869) with info = LP(label, ...context). About 10 us. The caller fills the result with 0 when done.
 *
 * `context` names what the key is for (account, vault, version …): another context gives an unrelated key. Throws
 * RangeError when it takes more than 1,024 bytes encoded.
 */
export function deriveKey(
  secret: Buffer,
  salt: Buffer,
  label: Label,
  context: readonly (string | Buffer)[],
  bytes: number,
): Buffer {
  const info = lp(label, ...context);
  if (info.length > INFO_BYTES_MAX) throw new RangeError(`A key's context may have ${INFO_BYTES_MAX} bytes`);
  return hkdf(secret, salt, info, bytes);
}

/** HKDF-SHA-256 itself, for `deriveKey` and for the published vectors. */
export function hkdf(secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
}
