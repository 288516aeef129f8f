import { UnknownFormat } from '../errors.js';
import type { Label } from '../labels.js';
import { openUnder, SEALED_OVERHEAD_BYTES, sealUnder } from '../sealed-form.js';

const KEY_BYTES = 32;
const MAGIC = 'VK';
const VERSION = 1;
const SUITE = 1; // HKDF-SHA-256, AES-256-GCM, 32-byte commitment
const KID_OFFSET = 4;

/** The length of every wrapped key. */
export const WRAPPED_KEY_BYTES = SEALED_OVERHEAD_BYTES + KEY_BYTES;

/** A kid (0 to 255) tells the keys of one holder apart; it is stored in the blob and must be the same at unwrapping. */
export interface WrapSettings {
  readonly kid?: number;
}

/**
 * Wraps a 32-byte key under another secret of at least 128 bits: 129 bytes.
 *
 * `ids` say whose key it is (account, vault …) and go into the derivation; `attributes` say what it may do (access
 * level, expiry …) and are authenticated. Neither is stored in the blob: the row holds them, and a row that was
 * changed or moved no longer unwraps.
 */
export function wrapKey(
  wrappingKey: Buffer,
  label: Label,
  ids: readonly string[],
  attributes: readonly string[],
  key: Buffer,
  { kid = 0 }: WrapSettings = {},
): Buffer {
  if (key.length !== KEY_BYTES) throw new RangeError(`A wrapped key has ${KEY_BYTES} bytes`);
  return sealUnder(wrappingKey, headerOf(kid), { label, ids, attributes }, key);
}

/**
 * Opens a wrapped key. Throws `WrongKey` for another wrapping key, label or ids, `Tampered` for changed bytes or
 * attributes, `UnknownFormat` for anything else. The caller fills the key with 0 when done.
 */
export function unwrapKey(
  wrappingKey: Buffer,
  label: Label,
  ids: readonly string[],
  attributes: readonly string[],
  blob: Buffer,
  { kid = 0 }: WrapSettings = {},
): Buffer {
  if (blob.length !== WRAPPED_KEY_BYTES) throw new UnknownFormat();
  return openUnder(wrappingKey, headerOf(kid), { label, ids, attributes }, blob);
}

/** The kid that a wrapped key names, to choose the wrapping key by. Throws `UnknownFormat` for another length. */
export function wrapKid(blob: Buffer): number {
  if (blob.length !== WRAPPED_KEY_BYTES) throw new UnknownFormat();
  return blob.readUInt8(KID_OFFSET);
}

function headerOf(kid: number): Buffer {
  const header = Buffer.from([0, 0, VERSION, SUITE, 0]);
  header.write(MAGIC, 'latin1');
  header.writeUInt8(kid, KID_OFFSET);
  return header;
}
