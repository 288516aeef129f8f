import type { EncryptionContext } from './provider.js';

/** The names and values of a context in one order: contexts are compared as sets of pairs. */
export function encodedContext(context: EncryptionContext): string[] {
  return Object.entries(context)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flat();
}
