import { validationError } from '@vaultsvc/contracts';
import type { AppId } from '@vaultsvc/contracts/integrations';

/** A record, by which its folder is found: normalized keys are equal exactly when they name the same record (OPEN-37). */
export interface RecordKey {
  readonly object_type: string;
  readonly record_id: string;
}

/** The one form of a record's key. Throws VALIDATION_ERROR, as `normalizeId` does. */
export function normalizeRecord(appId: AppId, { object_type, record_id }: RecordKey): RecordKey {
  return { object_type, record_id: normalizeId(appId, 'record_id', record_id) };
}

/**
 * The one form of a record's or person's id. crmb writes an id with 15 characters that differ in case, or with 18, whose last
 * three are a checksum of the case, for readers that ignore it. Both become the form of 18. Throws VALIDATION_ERROR for a
 * checksum that does not fit: the case was lost on the way, and the id may be another record's. Other ids stay as they are.
 */
export function normalizeId(appId: AppId, field: string, id: string): string {
  if (appId !== 'crmb' || !/^[0-9A-Za-z]{15}(?:[0-9A-Za-z]{3})?$/.test(id)) return id;
  const whole = withChecksum(id.slice(0, 15));
  if (id.length === 18 && id !== whole)
    throw validationError({ field, message: `the last three characters of ${field} do not fit the others` });
  return whole;
}

/** The form of 15 characters of a normalized id of crmb; null for other ids. */
export function shortForm(appId: AppId, id: string): string | null {
  return appId === 'crmb' && /^[0-9A-Za-z]{18}$/.test(id) ? id.slice(0, 15) : null;
}

const CHECKSUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345';

/** For each five characters one that says which of them are upper case: the first is the lowest bit. */
function withChecksum(short: string): string {
  const blocks = [short.slice(0, 5), short.slice(5, 10), short.slice(10)];
  return short + blocks.map((block) => CHECKSUM[upperCaseBits(block)]).join('');
}

function upperCaseBits(block: string): number {
  return [...block].reduce((bits, character, index) => bits + (/[A-Z]/.test(character) ? 1 << index : 0), 0);
}
