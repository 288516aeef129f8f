import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = 62;
// Rejection sampling: 248 = 4 x 62, and larger bytes would favour the first digits of the alphabet.
const FAIR_BYTE_LIMIT = 248;
const DIGITS = new Map([...ALPHABET].map((character, digit) => [character.charCodeAt(0), digit]));

/**
 * Encodes bytes, as one big-endian number, in exactly `width` base62 characters (0-9, A-Z, a-z), padded with zeros.
 * @throws RangeError if the number does not fit
 */
export function encodeBase62(bytes: Buffer, width: number): string {
  const rest = Buffer.alloc(bytes.length);
  bytes.copy(rest);
  const digits = new Array<string>(width);
  for (let index = width - 1; index >= 0; index -= 1) digits[index] = ALPHABET.charAt(divideInPlace(rest));
  const fits = rest.every((byte) => byte === 0);
  rest.fill(0);
  if (!fits) throw new RangeError(`${bytes.length} bytes do not fit into ${width} base62 characters`);
  return digits.join('');
}

/** Decodes base62 to exactly `byteLength` bytes; undefined for other characters and for a number that does not fit. */
export function decodeBase62(text: string, byteLength: number): Buffer | undefined {
  const bytes = Buffer.alloc(byteLength);
  for (let index = 0; index < text.length; index += 1) {
    const digit = DIGITS.get(text.charCodeAt(index));
    if (digit === undefined || multiplyAddInPlace(bytes, digit) !== 0) return undefined;
  }
  return bytes;
}

/** `length` uniformly random base62 characters (5.95 bits each) from the operating system's generator. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    const byte = randomByte();
    if (byte < FAIR_BYTE_LIMIT) text += ALPHABET.charAt(byte % BASE);
  }
  return text;
}

// One call to the generator costs the same for few bytes as for a thousand, and every request needs an id.
const pool = Buffer.alloc(1_024);
let usedBytes = pool.length;

/** The next byte of the pool, which is wiped behind it. */
function randomByte(): number {
  if (usedBytes === pool.length) {
    randomFillSync(pool);
    usedBytes = 0;
  }
  const byte = pool.readUInt8(usedBytes);
  pool[usedBytes++] = 0;
  return byte;
}

/** Divides the number in place by 62 and returns the remainder. */
function divideInPlace(number: Buffer): number {
  let remainder = 0;
  for (let index = 0; index < number.length; index += 1) {
    const value = remainder * 256 + (number[index] ?? 0);
    number[index] = Math.floor(value / BASE);
    remainder = value % BASE;
  }
  return remainder;
}

/** Multiplies the number in place by 62, adds a digit and returns the overflow. */
function multiplyAddInPlace(number: Buffer, digit: number): number {
  let carry = digit;
  for (let index = number.length - 1; index >= 0; index -= 1) {
    const value = (number[index] ?? 0) * BASE + carry;
    number[index] = value & 0xff;
    carry = value >>> 8;
  }
  return carry;
}
