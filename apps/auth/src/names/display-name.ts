import { validationError } from '@vaultsvc/contracts';

const CHARACTERS_MAX = 255;

/**
 * Normalizes a name to NFC, so that equal names are equal strings.
 * @throws VALIDATION_ERROR when the normalized name exceeds 255 characters: normalization can lengthen it
 */
export function displayName(field: string, text: string): string {
  const name = text.normalize('NFC');
  if ([...name].length <= CHARACTERS_MAX) return name;
  throw validationError({
    field,
    message: `${field} must have 1 to ${CHARACTERS_MAX} characters in Unicode's form NFC`,
  });
}
