import { createHmac, hkdfSync } from 'node:crypto';
import { lengthPrefixed } from '../encoding/index.js';
import type { Label } from '../labels.js';

const HASH_BYTES = 32;
const BLOCKS_MAX = 255; // RFC 5869, 2.3: L <= 255 * HashLen
/** Node refuses a longer info. */
const NODE_INFO_BYTES_MAX = 1_024;

/**
 * Derives `bytes` bytes (at most 8,160) with HKDF-SHA-256 (RFC 5869). info = lengthPrefixed(label, ...context), where
 * `context` names the owner of the key (account, vault, version …): keys of different contexts are independent. The caller
 * wipes the result.
 * @throws RangeError for more than 8,160 bytes
 */
export function deriveKey(
  secret: Buffer,
  salt: Buffer,
  label: Label,
  context: readonly (string | Buffer)[],
  bytes: number,
): Buffer {
  return hkdf(secret, salt, lengthPrefixed(label, ...context), bytes);
}

/**
 * HKDF-SHA-256: extract (RFC 5869, 2.2), then expand (2.3). `hkdfSync` leaves nothing in JavaScript's memory but the result, in half
 * the time of single codes. Those derive for a longer info, such as one with long names.
 */
export function hkdf(secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  const blocks = Math.ceil(bytes / HASH_BYTES);
  if (blocks > BLOCKS_MAX)
    throw new RangeError(`HKDF-SHA-256 derives ${BLOCKS_MAX * HASH_BYTES} bytes at most`);
  if (info.length <= NODE_INFO_BYTES_MAX) return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
  const pseudoRandomKey = createHmac('sha256', salt).update(secret).digest();
  const output = expand(pseudoRandomKey, info, blocks);
  pseudoRandomKey.fill(0);
  output.fill(0, bytes);
  return output.subarray(0, bytes);
}

/** T(n) = HMAC(PRK, T(n-1) || info || n), concatenated. */
function expand(pseudoRandomKey: Buffer, info: Buffer, blocks: number): Buffer {
  const output = Buffer.alloc(blocks * HASH_BYTES);
  for (let index = 0; index < blocks; index += 1) {
    const offset = index * HASH_BYTES;
    const previous = output.subarray(Math.max(0, offset - HASH_BYTES), offset);
    const code = createHmac('sha256', pseudoRandomKey).update(previous).update(info);
    const block = code.update(Buffer.of(index + 1)).digest();
    block.copy(output, offset);
    block.fill(0);
  }
  return output;
}
