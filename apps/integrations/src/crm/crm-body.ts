import { AppError, decode, parseObject, type Class } from '@vaultsvc/contracts';
import { numbersAsText } from './json-ids.js';

/** Ids that a CRM may write as numbers. */
const IDS = ['portal_id', 'org_id', 'record_id', 'user_id'];

/** The body of a request of a CRM. Throws VALIDATION_ERROR. */
export function readCrmBody<T extends object>(type: Class<T>, raw: Buffer): T {
  const json = raw.length === 0 ? '{}' : raw.toString('utf8');
  const given = parseObject(json);
  return decode(type, { ...given, ...numbersAsText(json, given, IDS) });
}

/** Ids of the body must be those that the CRM has signed; the body alone proves nothing (CRB-02). Throws VERIFIED_REQUEST_REFUSED. */
export function assertSame(signed: string, claimed: string | undefined): void {
  if (claimed !== undefined && claimed !== signed) throw new AppError('VERIFIED_REQUEST_REFUSED');
}

/** An org id has 15 characters, and 18 with a checksum of their case. */
export function shortOrgId(orgId: string): string {
  return /^00D[0-9A-Za-z]{15}$/.test(orgId) ? orgId.slice(0, 15) : orgId;
}
