import { createHash, createHmac, createSecretKey, KeyObject, timingSafeEqual } from 'node:crypto';
import { lengthPrefixed } from '../encoding/index.js';
import type { Label } from '../labels.js';

const KEY_BYTES_MIN = 32;
export const MAC_BYTES = 32;

/**
 * A MAC key as a KeyObject, which neither logs nor JSON reveal.
 * @throws RangeError for fewer than 32 bytes
 */
export function macKey(bytes: Buffer): KeyObject {
  return createSecretKey(assertStrong(bytes));
}

/**
 * HMAC-SHA-256 (RFC 2104) over the length-prefixed label and fields: 32 bytes.
 * @throws RangeError for a key of fewer than 32 bytes
 */
export function mac(key: KeyObject | Buffer, label: Label, ...fields: readonly (string | Buffer)[]): Buffer {
  return createHmac('sha256', key instanceof KeyObject ? key : macKey(key))
    .update(lengthPrefixed(label, ...fields))
    .digest();
}

/**
 * As `mac`, over the label and fields and then a message, which is the last field and needs no length, since their number is that of
 * the label. So a long message is not copied.
 */
export function macOver(key: KeyObject, message: Buffer, label: Label, ...fields: readonly string[]): Buffer {
  return createHmac('sha256', key)
    .update(lengthPrefixed(label, ...fields))
    .update(message)
    .digest();
}

/**
 * Compares two values in constant time. Both are hashed first, because `timingSafeEqual` throws on unequal lengths, which
 * would reveal the length.
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
