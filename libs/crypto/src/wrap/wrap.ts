import { UnknownFormat } from '../errors.js';
import type { Label } from '../labels.js';
import { openUnder, SEALED_OVERHEAD_BYTES, sealUnder } from '../aead/sealed-value.js';

const KEY_BYTES = 32;
const MAGIC = 'VK';
const VERSION = 1;
const SUITE = 1; // HKDF-SHA-256, AES-256-GCM, 32-byte commitment
const KID_OFFSET = 4;

/** Bytes of every wrapped key: 129. */
export const WRAPPED_KEY_BYTES = SEALED_OVERHEAD_BYTES + KEY_BYTES;

/** `kid` (0 to 255, default 0) distinguishes wrapping keys. It is stored in the blob and required to unwrap it. */
export interface WrapSettings {
  readonly kid?: number;
}

/**
 * Wraps a 32-byte key under a secret of at least 128 bits.
 *
 * `ids` name the owner of the key (account, vault …) and are input of the derivation; `attributes` state its permissions
 * (access level, expiry …) and are authenticated. The blob contains neither: they are columns of its row, so a changed or
 * moved row does not unwrap.
 * @throws RangeError if the key does not have 32 bytes
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
 * Unwraps a key. The caller wipes it.
 * @throws WrongKey for another wrapping key, label or other ids
 * @throws Tampered for changed bytes or other attributes
 * @throws UnknownFormat for any other input, such as another kid
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

/**
 * The kid of a wrapped key, which selects the wrapping key.
 * @throws UnknownFormat for another length than 129 bytes
 */
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
