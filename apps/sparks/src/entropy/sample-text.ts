import { RANDOM_BYTES_MAX } from '@vaultsvc/crypto/kms';

/** Gives 1 to 1,024 random bytes. Whoever asked for them fills them with 0 when done. */
export type Draw = (bytes: number) => Promise<Buffer>;

const BYTE_VALUES = 256;

/**
 * A text of `length` characters, each equally likely. It is sampled from twice as many bytes, and from more of them as
 * long as rejection leaves too few (ENT-15). Throws what `draw` throws.
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

/** Writes a character for each byte that stands for one until the text is full, and says how many. Wipes the bytes. */
function writeCharacters(text: Buffer, alphabet: string, bytes: Buffer): number {
  // Every character has the same share of a byte's values. What is left over would favour some of them: it is dropped.
  const share = Math.floor(BYTE_VALUES / alphabet.length);
  let written = 0;
  for (const byte of bytes) {
    const index = (byte - (byte % share)) / share;
    if (index < alphabet.length && written < text.length) text[written++] = alphabet.charCodeAt(index);
  }
  bytes.fill(0);
  return written;
}
