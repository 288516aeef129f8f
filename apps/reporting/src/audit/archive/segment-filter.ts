import { sha256 } from '@vaultsvc/crypto/hash';

const VERSION = 1;
/** With fourteen of them set for each value: one of 10,000 other values seems to be there. */
const BITS_PER_VALUE = 20;
const BITS_SET = 14;

/** Two numbers of the digest of a value, from which its bits follow (Kirsch and Mitzenmacher 2006). */
export interface FilterKey {
  readonly start: number;
  readonly step: number;
}

export function filterKeyOf(value: string): FilterKey {
  const digest = sha256(Buffer.from(value));
  return { start: digest.readUInt32BE(0), step: digest.readUInt32BE(4) };
}

/**
 * A Bloom filter of the values in a segment: which values the segment lacks is known without opening it. It has a byte for its version, then
 * twenty bits for each value.
 */
export class SegmentFilter {
  readonly #bits: Buffer;

  /** @throws Error for another version */
  constructor(readonly bytes: Buffer) {
    if (bytes[0] !== VERSION) throw new Error(`a filter of the audit archive has version ${bytes[0]}`);
    this.#bits = bytes.subarray(1);
  }

  static of(values: ReadonlySet<string>): SegmentFilter {
    const bytes = Buffer.alloc(1 + Math.max(1, Math.ceil((values.size * BITS_PER_VALUE) / 8)));
    bytes[0] = VERSION;
    const filter = new SegmentFilter(bytes);
    for (const value of values) filter.#add(filterKeyOf(value));
    return filter;
  }

  /** False: the segment lacks the value. */
  mayHave(key: FilterKey): boolean {
    for (let n = 0; n < BITS_SET; n += 1) {
      const bit = this.#bitOf(key, n);
      if (((this.#bits[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
    }
    return true;
  }

  #add(key: FilterKey): void {
    for (let n = 0; n < BITS_SET; n += 1) {
      const bit = this.#bitOf(key, n);
      this.#bits[bit >> 3] = (this.#bits[bit >> 3] ?? 0) | (1 << (bit & 7));
    }
  }

  #bitOf({ start, step }: FilterKey, n: number): number {
    return (start + n * step) % (this.#bits.length * 8);
  }
}
