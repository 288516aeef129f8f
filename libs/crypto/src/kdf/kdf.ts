import { createHmac } from 'node:crypto';
import { lp } from '../encoding/index.js';
import type { Label } from '../labels.js';

const HASH_BYTES = 32;
const BLOCKS_MAX = 255; // RFC 5869, 2.3: L <= 255 * HashLen

/**
 * HKDF-SHA-256 (RFC 5869) with info = LP(label, ...context). The caller fills the result with 0 when done.
 *
 * `context` names what the key is for (account, vault, version …): another context gives an unrelated key.
 */
export function deriveKey(
  secret: Buffer,
  salt: Buffer,
  label: Label,
  context: readonly (string | Buffer)[],
  bytes: number,
): Buffer {
  return hkdf(secret, salt, lp(label, ...context), bytes);
}

/**
 * HKDF-SHA-256 as RFC 5869 writes it: extract, then expand. Node's own `hkdfSync` gives the same bytes (a test holds
 * us to it) for half as much time again, and refuses an info above 1,024 bytes.
 */
export function hkdf(secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  const blocks = Math.ceil(bytes / HASH_BYTES);
  if (blocks > BLOCKS_MAX)
    throw new RangeError(`HKDF-SHA-256 gives ${BLOCKS_MAX * HASH_BYTES} bytes at most`);
  const pseudoRandomKey = hmac(salt, secret);
  const output = expand(pseudoRandomKey, info, blocks);
  pseudoRandomKey.fill(0);
  output.fill(0, bytes);
  return output.subarray(0, bytes);
}

/** T(n) = HMAC(PRK, T(n-1) || info || n), one after the other. */
function expand(pseudoRandomKey: Buffer, info: Buffer, blocks: number): Buffer {
  const output = Buffer.alloc(blocks * HASH_BYTES);
  for (let index = 0; index < blocks; index += 1) {
    const offset = index * HASH_BYTES;
    const previous = output.subarray(Math.max(0, offset - HASH_BYTES), offset);
    const block = hmac(pseudoRandomKey, previous, info, Buffer.of(index + 1));
    block.copy(output, offset);
    block.fill(0);
  }
  return output;
}

function hmac(key: Buffer, ...parts: readonly Buffer[]): Buffer {
  const code = createHmac('sha256', key);
  for (const part of parts) code.update(part);
  return code.digest();
}
