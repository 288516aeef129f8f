import { nameKey } from '../vault/name-key.js';

const LAST = 0x10ffff;

/**
 * Bounds of the keys that begin as a name does: from the first one, up to but without the second, in the order of code
 * points, which is that of bytes in UTF-8 ("C"). No wildcard has a meaning there. null: there is no bound above.
 */
export function prefixRange(beginning: string): [from: string, below: string | null] {
  const from = nameKey(beginning);
  return [from, afterAll(from)];
}

/** The shortest text that comes after everything that begins so. */
function afterAll(prefix: string): string | null {
  const points = [...prefix];
  while (points.length > 0) {
    const last = points.pop()?.codePointAt(0) as number;
    if (last < LAST) return points.join('') + String.fromCodePoint(next(last));
  }
  return null;
}

/** Surrogates are no characters of their own. */
function next(point: number): number {
  return point === 0xd7ff ? 0xe000 : point + 1;
}
