import { AppError } from '@vaultsvc/contracts';
import { boundedNameKey } from '../vault/name-key.js';
import { isNameTaken, type Refusal } from '../vault/taken-name.js';

/** What two names in one folder may not share, and what `:name` is compared by (AMB-15). Throws 400 for a name too long. */
export function ingotNameKey(name: string): string {
  return boundedNameKey(name);
}

/** For the statements that name an ingot: the unique index has decided that the name is another's in this folder. */
export function refuseTakenName(error: Error & Refusal): never {
  throw isNameTaken(error, 'ingots_name_key') ? new AppError('INGOT_NAME_TAKEN') : error;
}

/** For the same statements: the foreign key has decided that the vault has no such folder, or no more. */
export function refuseUnknownFolder(error: Error & { code?: string }): never {
  if (error.code === '23503') throw new AppError('FOLDER_NOT_FOUND');
  throw error;
}
