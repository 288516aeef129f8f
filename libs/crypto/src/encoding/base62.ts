import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = 62;
// 248 = 4 x 62: bytes above it would favour the first letters of the alphabet, so they are drawn again.
const FAIR_BYTE_LIMIT = 248;
const DIGITS = new Map([...ALPHABET].map((letter, digit) => [letter.charCodeAt(0), digit]));

/**
 * Writes bytes, read as one big-endian number, as exactly `width` base62 letters (digits, capitals, small letters;
 * zero padded). Throws RangeError when the number does not fit.
 */
export function encodeBase62(bytes: Buffer, width: number): string {
  const rest = Buffer.alloc(bytes.length);
  bytes.copy(rest);
  const letters = new Array<string>(width);
  for (let index = width - 1; index >= 0; index -= 1) letters[index] = ALPHABET.charAt(divideInPlace(rest));
  const isSpent = rest.every((byte) => byte === 0);
  rest.fill(0);
  if (!isSpent) throw new RangeError(`${bytes.length} bytes do not fit into ${width} base62 letters`);
  return letters.join('');
}

/** Reads base62 back into exactly `byteLength` bytes; undefined for a foreign letter or a number too large for them. */
export function decodeBase62(text: string, byteLength: number): Buffer | undefined {
  const bytes = Buffer.alloc(byteLength);
  for (let index = 0; index < text.length; index += 1) {
    const digit = DIGITS.get(text.charCodeAt(index));
    if (digit === undefined || multiplyAddInPlace(bytes, digit) !== 0) return undefined;
  }
  return bytes;
}

/** `length` unbiased random base62 letters (5.95 bits each) from the system's generator. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    const byte = randomByte();
    if (byte < FAIR_BYTE_LIMIT) text += ALPHABET.charAt(byte % BASE);
  }
  return text;
}

// A draw costs the same for a few bytes as for a thousand, and every request takes an id.
const drawn = Buffer.alloc(1_024);
let taken = drawn.length;

/** The next byte of the system's generator; it is wiped here when it is handed out. */
function randomByte(): number {
  if (taken === drawn.length) {
    randomFillSync(drawn);
    taken = 0;
  }
  const byte = drawn.readUInt8(taken);
  drawn[taken++] = 0;
  return byte;
}

/** Divides the number by 62 where it stands and returns the remainder. */
function divideInPlace(number: Buffer): number {
  let remainder = 0;
  for (let index = 0; index < number.length; index += 1) {
    const value = remainder * 256 + (number[index] ?? 0);
    number[index] = Math.floor(value / BASE);
    remainder = value % BASE;
  }
  return remainder;
}

/** Multiplies the number by 62 where it stands, adds a digit and returns what no longer fits. */
function multiplyAddInPlace(number: Buffer, digit: number): number {
  let carry = digit;
  for (let index = number.length - 1; index >= 0; index -= 1) {
    const value = (number[index] ?? 0) * BASE + carry;
    number[index] = value & 0xff;
    carry = value >>> 8;
  }
  return carry;
}
