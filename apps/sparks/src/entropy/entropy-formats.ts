import {
  ENTROPY_BYTES_MAX,
  SAMPLED_CHARACTERS_MAX,
  type Entropy,
  type EntropyFormat,
} from '@vaultsvc/contracts/sparks';
import { RANDOM_BYTES_MAX } from '@vaultsvc/crypto/kms';

/** Draws 1 to 1,024 random bytes. The caller wipes them after use. */
export type Draw = (bytes: number) => Promise<Buffer>;

interface Format {
  /** The largest `num_bytes` of a request (ENT-04). */
  readonly numBytesMax: number;
  /** The `num_bytes` of the response (ENT-14). */
  readonly answeredBytes: (numBytes: number) => number;
  readonly make: (numBytes: number, draw: Draw) => Promise<Entropy['value']>;
}

const DIGITS = '0123456789';
const UPPERCASE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWERCASE = 'abcdefghijklmnopqrstuvwxyz';
/** No backslash (AMB-30). */
const PUNCTUATION = '!@#$%^&*()_+-=[]{}|;:,.<>?';

/** The alphabets of the sampled formats, each character once (ENT-08 to ENT-10). */
export const alphabets = {
  alphanumeric: UPPERCASE + DIGITS,
  'alphanumeric-mixed': UPPERCASE + LOWERCASE + DIGITS,
  password: UPPERCASE + LOWERCASE + DIGITS + PUNCTUATION,
  numeric: DIGITS,
} as const;

/** Bytes of a UUID, of which 122 bits are random. */
const UUID_BYTES = 16;

/** The formats of ENT-02. */
export const formats: Readonly<Record<EntropyFormat, Format>> = {
  hex: encoded((bytes) => bytes.toString('hex')),
  base64: encoded((bytes) => bytes.toString('base64')),
  base64url: encoded((bytes) => bytes.toString('base64url')),
  alphanumeric: sampled(alphabets.alphanumeric),
  'alphanumeric-mixed': sampled(alphabets['alphanumeric-mixed']),
  password: sampled(alphabets.password),
  numeric: {
    numBytesMax: ENTROPY_BYTES_MAX,
    answeredBytes: (length) => length,
    make: (length, draw) => sampleText(alphabets.numeric, length, draw),
  },
  uuid: {
    numBytesMax: ENTROPY_BYTES_MAX,
    answeredBytes: () => UUID_BYTES,
    make: (_, draw) => drawAndEncode(UUID_BYTES, draw, writeUuid),
  },
  bytes: encoded((bytes) => [...bytes]),
};

/** A reversible encoding of the drawn bytes. */
function encoded(encode: (bytes: Buffer) => Entropy['value']): Format {
  return {
    numBytesMax: ENTROPY_BYTES_MAX,
    answeredBytes: (numBytes) => numBytes,
    make: (numBytes, draw) => drawAndEncode(numBytes, draw, encode),
  };
}

function sampled(alphabet: string): Format {
  return {
    numBytesMax: SAMPLED_CHARACTERS_MAX,
    answeredBytes: (length) => 2 * length,
    make: (length, draw) => sampleText(alphabet, length, draw),
  };
}

async function drawAndEncode(
  count: number,
  draw: Draw,
  encode: (bytes: Buffer) => Entropy['value'],
): Promise<Entropy['value']> {
  const bytes = await draw(count);
  try {
    return encode(bytes);
  } finally {
    bytes.fill(0);
  }
}

const UUID_VERSION_BYTE = 6;
const UUID_VARIANT_BYTE = 8;

/** Formats 16 random bytes as a version 4 UUID (RFC 9562, 5.4). Version and variant replace six of their bits. */
export function writeUuid(bytes: Buffer): string {
  bytes.writeUInt8((bytes.readUInt8(UUID_VERSION_BYTE) & 0x0f) | 0x40, UUID_VERSION_BYTE);
  bytes.writeUInt8((bytes.readUInt8(UUID_VARIANT_BYTE) & 0x3f) | 0x80, UUID_VARIANT_BYTE);
  const hex = bytes.toString('hex');
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return groups.join('-');
}

const BYTE_VALUES = 256;

/**
 * A text of `length` characters, each equally likely. Draws twice as many bytes as characters are missing, until
 * rejection leaves enough of them (ENT-15). Throws the errors of `draw`.
 */
export async function sampleText(alphabet: string, length: number, draw: Draw): Promise<string> {
  const text = Buffer.alloc(length);
  let written = 0;
  try {
    while (written < length) {
      const bytes = await draw(Math.min(2 * (length - written), RANDOM_BYTES_MAX));
      written += writeCharacters(text.subarray(written), alphabet, bytes);
    }
    return text.toString('latin1');
  } finally {
    text.fill(0);
  }
}

/** Writes a character for each accepted byte until the text is full and returns their number. Wipes the bytes. */
function writeCharacters(text: Buffer, alphabet: string, bytes: Buffer): number {
  // Every character gets an equal share of the byte values. The remainder would bias some characters: it is rejected.
  const share = Math.floor(BYTE_VALUES / alphabet.length);
  let written = 0;
  for (const byte of bytes) {
    const index = (byte - (byte % share)) / share;
    if (index < alphabet.length && written < text.length) text[written++] = alphabet.charCodeAt(index);
  }
  bytes.fill(0);
  return written;
}
