import { randomFillSync, timingSafeEqual } from 'node:crypto';
import { NONCE_BYTES, open, sealWithNonce, TAG_BYTES } from './aead/gcm.js';
import { lp } from './encoding/index.js';
import { UnknownFormat, WrongKey } from './errors.js';
import { hkdf } from './kdf/kdf.js';
import type { Label } from './labels.js';

/** What a sealed value belongs to. */
export interface SealContext {
  readonly label: Label;
  /** The key is derived with these: other ids give `WrongKey`. */
  readonly ids: readonly string[];
  /** Only authenticated: other attributes give `Tampered`. */
  readonly attributes: readonly string[];
}

const HEADER_BYTES = 5;
const SALT_BYTES = 32;
const COMMIT_BYTES = 32;
const KEY_BYTES = 32;
const BODY_OFFSET = HEADER_BYTES + SALT_BYTES + COMMIT_BYTES;

/** How much longer a sealed value is than its plaintext. */
export const SEALED_OVERHEAD_BYTES = BODY_OFFSET + NONCE_BYTES + TAG_BYTES;

/**
 * The one shape of everything we seal: header (magic 2, version, suite, kid) | salt 32 | commitment 32 | nonce 12 |
 * ciphertext | tag 16.
 *
 * Salt and commitment are fresh each time, so every value has a key of its own. The commitment ties the value to one
 * key: GCM alone does not ("Fast Message Franking", Dodis et al. 2018), and it gives a clean "wrong key" answer.
 */
export function sealUnder(secret: Buffer, header: Buffer, context: SealContext, plaintext: Buffer): Buffer {
  const { info, aad } = encode(context);
  // One call for both: a call to the generator costs more than its bytes.
  const random = randomFillSync(Buffer.alloc(SALT_BYTES + NONCE_BYTES));
  const salt = random.subarray(0, SALT_BYTES);
  const nonce = random.subarray(SALT_BYTES);
  const derived = hkdf(secret, salt, info, KEY_BYTES + COMMIT_BYTES);
  try {
    const body = sealWithNonce(derived.subarray(0, KEY_BYTES), nonce, aad, plaintext);
    return Buffer.concat([header, salt, derived.subarray(KEY_BYTES), nonce, body]);
  } finally {
    derived.fill(0);
  }
}

/** Opens what `sealUnder` made with the same header. Throws `UnknownFormat`, `WrongKey` or `Tampered`. */
export function openUnder(secret: Buffer, header: Buffer, context: SealContext, sealed: Buffer): Buffer {
  assertHeader(header, sealed);
  const { info, aad } = encode(context);
  const salt = sealed.subarray(HEADER_BYTES, HEADER_BYTES + SALT_BYTES);
  const derived = hkdf(secret, salt, info, KEY_BYTES + COMMIT_BYTES);
  try {
    const commitment = sealed.subarray(HEADER_BYTES + SALT_BYTES, BODY_OFFSET);
    if (!timingSafeEqual(derived.subarray(KEY_BYTES), commitment)) throw new WrongKey();
    return open(derived.subarray(0, KEY_BYTES), aad, sealed.subarray(BODY_OFFSET));
  } finally {
    derived.fill(0);
  }
}

// The header is outside the AAD, so it is compared whole: no flip of it is ever accepted.
function assertHeader(header: Buffer, sealed: Buffer): void {
  if (sealed.length < SEALED_OVERHEAD_BYTES) throw new UnknownFormat();
  if (!sealed.subarray(0, HEADER_BYTES).equals(header)) throw new UnknownFormat();
}

/** The two encodings of a context: without attributes they are one, and then made once. */
function encode({ label, ids, attributes }: SealContext): { info: Buffer; aad: Buffer } {
  const info = lp(label, ...ids);
  return { info, aad: attributes.length === 0 ? info : lp(label, ...ids, ...attributes) };
}
