import type { Label } from '../labels.js';
import { openUnder, SEALED_OVERHEAD_BYTES, sealUnder } from '../sealed-form.js';

// "VC", version 1, suite 1 (HKDF-SHA-256, AES-256-GCM, 32-byte commitment), and a byte kept at 0.
const HEADER = Buffer.from([0x56, 0x43, 1, 1, 0]);

/** How much longer sealed content is than its plaintext. */
export const SEALED_CONTENT_OVERHEAD_BYTES = SEALED_OVERHEAD_BYTES;

/**
 * Seals a value of any length under a key derived for this one message, so that one data key may seal without limit.
 * `fields` (ids, content type …) are bound to it and not stored: the same must be given to open it. Costs one
 * HKDF and one GCM.
 */
export function sealContent(key: Buffer, label: Label, fields: readonly string[], plaintext: Buffer): Buffer {
  return sealUnder(key, HEADER, { label, ids: fields, attributes: [] }, plaintext);
}

/**
 * Opens what `sealContent` made. Throws `WrongKey` for another key, label or fields, `Tampered` for changed bytes,
 * `UnknownFormat` for anything else. The caller fills the plaintext with 0 when done.
 */
export function openContent(key: Buffer, label: Label, fields: readonly string[], sealed: Buffer): Buffer {
  return openUnder(key, HEADER, { label, ids: fields, attributes: [] }, sealed);
}
