import { sha256 } from '@vaultsvc/crypto/hash';

/** With seven bits for each value: one of a hundred other values seems to be among them. */
const BITS_PER_VALUE = 10;
const BITS_OF_VALUE = 7;
const WORD_BYTES = 4;

/**
 * A Bloom filter of the values in a segment: it tells, without opening the segment, that a value is not in it. It has ten bits for each
 * value.
 */
export class SegmentFilter {
  constructor(readonly bytes: Buffer) {}

  static of(values: ReadonlySet<string>): SegmentFilter {
    const bytes = Buffer.alloc(Math.max(1, Math.ceil((values.size * BITS_PER_VALUE) / 8)));
    for (const value of values)
      for (const bit of bitsOf(value, bytes.length))
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << (bit & 7));
    return new SegmentFilter(bytes);
  }

  /** False: the value is not in the segment. */
  mayHave(value: string): boolean {
    return bitsOf(value, this.bytes.length).every(
      (bit) => ((this.bytes[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0,
    );
  }
}

function bitsOf(value: string, bytes: number): readonly number[] {
  const digest = sha256(Buffer.from(value));
  return Array.from({ length: BITS_OF_VALUE }, (_, n) => digest.readUInt32BE(n * WORD_BYTES) % (bytes * 8));
}
