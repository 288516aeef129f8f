import { validationError } from '@vaultsvc/contracts';

const CHARACTERS_MAX = 255;

/** A name in the one form (NFC) that makes equal names equal texts. Some letters grow by it: 400 beyond 255. */
export function displayName(field: string, text: string): string {
  const name = text.normalize('NFC');
  if ([...name].length <= CHARACTERS_MAX) return name;
  throw validationError({
    field,
    message: `${field} must have 1 to ${CHARACTERS_MAX} characters in Unicode's form NFC`,
  });
}
