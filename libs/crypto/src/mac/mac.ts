import { createHash, createHmac, createSecretKey, KeyObject, timingSafeEqual } from 'node:crypto';
import { lp } from '../encoding/index.js';
import type { Label } from '../labels.js';

const KEY_BYTES_MIN = 32;

/** A long-lived MAC key, kept where no inspection or JSON shows it. Throws RangeError below 256 bits. */
export function macKey(bytes: Buffer): KeyObject {
  return createSecretKey(assertStrong(bytes));
}

/** HMAC-SHA-256 (32 bytes) over the length-prefixed label and fields. Throws RangeError for a key below 256 bits. */
export function mac(key: KeyObject | Buffer, label: Label, ...fields: readonly (string | Buffer)[]): Buffer {
  const checked = key instanceof KeyObject ? key : assertStrong(key);
  return createHmac('sha256', checked)
    .update(lp(label, ...fields))
    .digest();
}

/**
 * Whether two values are equal, without telling by the duration where they differ. Both are hashed first, because
 * `timingSafeEqual` throws on unequal lengths, which would tell the length.
 */
export function macEquals(left: string | Buffer, right: string | Buffer): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}

function sha256(value: string | Buffer): Buffer {
  return createHash('sha256').update(value).digest();
}

function assertStrong(bytes: Buffer): Buffer {
  if (bytes.length < KEY_BYTES_MIN) throw new RangeError(`A MAC key needs at least ${KEY_BYTES_MIN} bytes`);
  return bytes;
}
