import { validationError } from '@vaultsvc/contracts';

/** An index entry holds 2,704 bytes; 255 letters that do not grow in their compatibility form are 1,020. */
const KEY_BYTES_MAX = 2_048;

/**
 * What two names of one account may not share (VLT-02): the name in its compatibility form and lower case. Lower case
 * can undo the form (U+0130 becomes two code points), so the form is taken again. A sigma is one letter wherever it
 * stands: else the key of a beginning would not begin the key.
 */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
}

/** The key of a name of up to 255 characters that shares an index entry with ids. Throws 400 for one that has no room. */
export function boundedNameKey(name: string): string {
  const key = nameKey(name);
  if (Buffer.byteLength(key) <= KEY_BYTES_MAX) return key;
  throw validationError({ field: 'name', message: 'name is too long when its ligatures are written out' });
}
