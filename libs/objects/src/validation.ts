import type { ByteRange } from './objects.js';

const KEY_LENGTH_MAX = 512;
/** The maximum of S3 for one PUT. */
const OBJECT_BYTES_MAX = 5 * 1_024 ** 3;
const PAGE_OBJECTS_MAX = 1_000;

// Keys without other dots cannot leave the store's folder, and leave names with dots to the store itself.
const KEY = /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*(\.jsonl)?$/;
const PREFIX = /^([A-Za-z0-9_-]+\/)*[A-Za-z0-9_-]*$/;
const PART_LENGTH_MAX = 200;

/** Whether a key is valid, for listings that may contain files of others. */
export function isKey(key: string): boolean {
  const isShort =
    key.length <= KEY_LENGTH_MAX && key.split('/').every((part) => part.length <= PART_LENGTH_MAX);
  return isShort && KEY.test(key);
}

/** Throws RangeError for an invalid key: keys, sizes and ranges come from this code base, so that is a bug. */
export function assertKey(key: string): void {
  if (!isKey(key))
    throw new RangeError('A key is letters, digits, _ and - in parts divided by /, and may end in .jsonl');
}

/** Throws RangeError for a prefix of no valid key. */
export function assertPrefix(prefix: string): void {
  if (!PREFIX.test(prefix)) throw new RangeError('A prefix is the start of a key');
}

/** Throws RangeError for a size below 1 byte or above 5 GiB. */
export function assertBytes(bytes: number): void {
  if (Number.isInteger(bytes) && bytes >= 1 && bytes <= OBJECT_BYTES_MAX) return;
  throw new RangeError(`An object has 1 to ${OBJECT_BYTES_MAX} bytes`);
}

/** Throws RangeError for an empty or negative range. */
export function assertRange({ start, end }: ByteRange): void {
  const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end) && 0 <= start && start < end;
  if (!isRange) throw new RangeError('A range starts at 0 or later and ends after its start');
}

/** The given page size, by default 1,000. Throws RangeError outside 1 to 1,000. */
export function pageSize(limit = PAGE_OBJECTS_MAX): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= PAGE_OBJECTS_MAX) return limit;
  throw new RangeError(`A page has 1 to ${PAGE_OBJECTS_MAX} objects`);
}
