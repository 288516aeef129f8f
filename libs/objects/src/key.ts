import type { ByteRange } from './objects.js';

const KEY_LENGTH_MAX = 512;
/** What S3 takes in one PUT. */
const OBJECT_BYTES_MAX = 5 * 1_024 ** 3;
const PAGE_OBJECTS_MAX = 1_000;

// Without dots there is no way out of the store's folder, and names with one are free for the store itself.
const KEY = /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/;
const PREFIX = /^([A-Za-z0-9_-]+\/)*[A-Za-z0-9_-]*$/;
const PART_LENGTH_MAX = 200;

export function isKey(key: string): boolean {
  const isShort =
    key.length <= KEY_LENGTH_MAX && key.split('/').every((part) => part.length <= PART_LENGTH_MAX);
  return isShort && KEY.test(key);
}

/** Throws a RangeError, as do the others here: keys, sizes and ranges are made by our own code. */
export function assertKey(key: string): void {
  if (!isKey(key)) throw new RangeError('A key is letters, digits, _ and - in parts divided by /');
}

export function assertPrefix(prefix: string): void {
  if (!PREFIX.test(prefix)) throw new RangeError('A prefix is the beginning of a key');
}

export function assertBytes(bytes: number): void {
  if (Number.isInteger(bytes) && bytes >= 1 && bytes <= OBJECT_BYTES_MAX) return;
  throw new RangeError(`An object has 1 to ${OBJECT_BYTES_MAX} bytes`);
}

export function assertRange({ start, end }: ByteRange): void {
  const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end) && 0 <= start && start < end;
  if (!isRange) throw new RangeError('A range starts at 0 or later and ends after its start');
}

export function pageSize(limit = PAGE_OBJECTS_MAX): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= PAGE_OBJECTS_MAX) return limit;
  throw new RangeError(`A page has 1 to ${PAGE_OBJECTS_MAX} objects`);
}
