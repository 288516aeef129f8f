import { hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const INNER = 0x36;
const OUTER = 0x5c;

/**
 * HMAC-SHA-256 (RFC 2104) of the concatenated parts, by two calls of the hash. Node's `createHmac` returns the same bytes, as
 * a test verifies, but makes an object of OpenSSL and a finalizer for each code, which takes twice the time: a key derivation
 * needs three codes, and each read of a Spark two derivations.
 */
export function hmacSha256(key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer {
  const short = key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key;
  const inner = digestUnder(short, INNER, parts);
  const code = digestUnder(short, OUTER, [inner]);
  inner.fill(0);
  return code;
}

function digestUnder(key: Uint8Array, pad: number, parts: readonly Uint8Array[]): Buffer {
  const message = Buffer.allocUnsafe(parts.reduce((bytes, part) => bytes + part.length, BLOCK_BYTES));
  message.fill(pad, 0, BLOCK_BYTES);
  for (let index = 0; index < key.length; index += 1) message[index] = pad ^ (key[index] as number);
  let offset = BLOCK_BYTES;
  for (const part of parts) {
    message.set(part, offset);
    offset += part.length;
  }
  const digest = hash('sha256', message, 'buffer');
  message.fill(0); // it begins with the key
  return digest;
}
