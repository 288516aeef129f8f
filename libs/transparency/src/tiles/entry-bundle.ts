import { InvalidTile } from './errors.js';

const LENGTH_BYTES = 2;

/** The longest leaf of a log: its length is a uint16. */
export const LEAF_BYTES_MAX = 65_535;

/**
 * The entry bundle of up to 256 leaves: each with its length as a big-endian uint16 (C2SP tlog-tiles, "Log entries").
 * @throws RangeError for a leaf of more than 65,535 bytes
 */
export function encodeEntries(leaves: readonly Uint8Array[]): Buffer {
  return Buffer.concat(leaves.flatMap((leaf) => [lengthOf(leaf), leaf]));
}

/** The leaves of an entry bundle. @throws InvalidTile if it does not consist of exactly `count` leaves */
export function decodeEntries(bundle: Uint8Array, count: number): Buffer[] {
  const bytes = Buffer.from(bundle.buffer, bundle.byteOffset, bundle.byteLength);
  const leaves: Buffer[] = [];
  let offset = 0;
  while (offset < bytes.length && leaves.length < count) {
    if (offset + LENGTH_BYTES > bytes.length) throw new InvalidTile('an entry bundle ends within a length');
    const start = offset + LENGTH_BYTES;
    offset = start + bytes.readUInt16BE(offset);
    if (offset > bytes.length) throw new InvalidTile('an entry bundle ends within an entry');
    leaves.push(bytes.subarray(start, offset));
  }
  if (offset === bytes.length && leaves.length === count) return leaves;
  throw new InvalidTile(`an entry bundle does not have ${count} entries`);
}

function lengthOf({ length }: Uint8Array): Buffer {
  if (length > LEAF_BYTES_MAX) throw new RangeError(`A leaf has at most ${LEAF_BYTES_MAX} bytes`);
  const bytes = Buffer.alloc(LENGTH_BYTES);
  bytes.writeUInt16BE(length);
  return bytes;
}
