import { AppError, validationError, type ErrorReason } from '@vaultsvc/contracts';
import { nameKey } from '@vaultsvc/contracts/names';

/** An index entry holds 2,704 bytes; 255 letters that do not grow in NFC are 1,020. */
const KEY_BYTES_MAX = 2_048;

/** The key of a name of up to 255 characters that shares an index entry with ids. Throws 400 when it exceeds the entry. */
export function boundedNameKey(name: string): string {
  const key = nameKey(name);
  if (Buffer.byteLength(key) <= KEY_BYTES_MAX) return key;
  throw validationError({ field: 'name', message: 'name is too long in its canonical form (Unicode NFC)' });
}

/**
 * Bounds of the keys with the prefix of a name: inclusive, and exclusive, in the order of code points, which is the order of
 * bytes in UTF-8 (collation "C"). A range has no wildcards. null: no upper bound.
 */
export function prefixRange(prefix: string): [from: string, below: string | null] {
  const from = nameKey(prefix);
  return [from, successorOf(from)];
}

/** The shortest text after all texts with this prefix. */
function successorOf(prefix: string): string | null {
  const points = [...prefix];
  while (points.length > 0) {
    const last = points.pop()?.codePointAt(0) as number;
    if (last < 0x10ffff) return points.join('') + String.fromCodePoint(nextPoint(last));
  }
  return null;
}

/** Surrogates are no characters of their own. */
function nextPoint(point: number): number {
  return point === 0xd7ff ? 0xe000 : point + 1;
}

/** The fields of a PostgreSQL error. */
interface StatementError extends Error {
  readonly code?: string;
  readonly constraint?: string;
  readonly where?: string;
}

const FOREIGN_KEY_VIOLATION = '23503';
const UNIQUE_VIOLATION = '23505';
const DEADLOCK = '40P01';

type NamedTable = 'vaults' | 'folders' | 'ingots';

/**
 * Handles errors of statements that write a name: throws `reason` when a unique index of names rejected it. Two callers that swap
 * names wait for each other in the index; PostgreSQL aborts one with a deadlock, and its name is taken as well.
 */
export function rejectTakenName(table: NamedTable, reason: ErrorReason): (error: StatementError) => never {
  return (error) => {
    throw isNameTaken(error, `${table}_folded_name`) ? new AppError(reason) : error;
  };
}

function isNameTaken({ code, constraint, where = '' }: StatementError, index: string) {
  if (code === UNIQUE_VIOLATION) return constraint === index;
  return code === DEADLOCK && where.includes(`"${index}"`);
}

/** For statements that name an ingot: throws INGOT_NAME_TAKEN when another ingot of the folder has the name. */
export const rejectTakenIngotName = rejectTakenName('ingots', 'INGOT_NAME_TAKEN');

/** For the same statements: throws FOLDER_NOT_FOUND when the foreign key found no such folder in the vault (ING-34). */
export function rejectUnknownFolder(error: StatementError): never {
  throw error.code === FOREIGN_KEY_VIOLATION ? new AppError('FOLDER_NOT_FOUND') : error;
}
