import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { lp } from '../encoding/index.js';
import type { Label } from '../labels.js';

const KEY_BYTES_MIN = 32;

/** A long-lived MAC key, kept where no inspection or JSON shows it. Throws RangeError below 256 bits. */
export function macKey(bytes: Buffer): KeyObject {
  if (bytes.length < KEY_BYTES_MIN) throw new RangeError(`A MAC key needs at least ${KEY_BYTES_MIN} bytes`);
  return createSecretKey(bytes);
}

/** HMAC-SHA-256 (32 bytes) over the length-prefixed label and fields. */
export function mac(key: KeyObject | Buffer, label: Label, ...fields: readonly (string | Buffer)[]): Buffer {
  return createHmac('sha256', key)
    .update(lp(label, ...fields))
    .digest();
}

/**
 * Compares without telling by its duration where two values differ. Both are hashed first, because `timingSafeEqual`
 * throws on unequal lengths, which would tell the length.
 */
export function equalInConstantTime(left: string | Buffer, right: string | Buffer): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}

function sha256(value: string | Buffer): Buffer {
  return createHash('sha256').update(value).digest();
}
