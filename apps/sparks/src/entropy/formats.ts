import {
  ENTROPY_BYTES_MAX,
  SAMPLED_CHARACTERS_MAX,
  type Entropy,
  type EntropyFormat,
} from '@vaultsvc/contracts/sparks';
import { alphabets } from './alphabets.js';
import { sampleText, type Draw } from './sample-text.js';
import { UUID_BYTES, writeUuid } from './uuid.js';

/** One way to write random data. */
interface Format {
  /** The largest `num_bytes` that may be asked for (ENT-04). */
  readonly numBytesMax: number;
  /** What the answer says as `num_bytes` (ENT-14). */
  readonly answeredBytes: (numBytes: number) => number;
  readonly make: (numBytes: number, draw: Draw) => Promise<Entropy['value']>;
}

/** All formats there are (ENT-02). */
export const formats: Readonly<Record<EntropyFormat, Format>> = {
  hex: ofBytes((bytes) => bytes.toString('hex')),
  base64: ofBytes((bytes) => bytes.toString('base64')),
  base64url: ofBytes((bytes) => bytes.toString('base64url')),
  alphanumeric: ofCharacters(alphabets.alphanumeric),
  'alphanumeric-mixed': ofCharacters(alphabets['alphanumeric-mixed']),
  password: ofCharacters(alphabets.password),
  numeric: {
    numBytesMax: ENTROPY_BYTES_MAX,
    answeredBytes: asAsked,
    make: (length, draw) => sampleText(alphabets.numeric, length, draw),
  },
  uuid: {
    numBytesMax: ENTROPY_BYTES_MAX,
    answeredBytes: () => UUID_BYTES,
    make: (_, draw) => write(UUID_BYTES, draw, writeUuid),
  },
  bytes: ofBytes((bytes) => [...bytes]),
};

/** The bytes themselves, written so that they can be read back. */
function ofBytes(encode: (bytes: Buffer) => Entropy['value']): Format {
  return {
    numBytesMax: ENTROPY_BYTES_MAX,
    answeredBytes: asAsked,
    make: (numBytes, draw) => write(numBytes, draw, encode),
  };
}

function ofCharacters(alphabet: string): Format {
  return {
    numBytesMax: SAMPLED_CHARACTERS_MAX,
    answeredBytes: (length) => 2 * length,
    make: (length, draw) => sampleText(alphabet, length, draw),
  };
}

function asAsked(numBytes: number): number {
  return numBytes;
}

async function write(
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
