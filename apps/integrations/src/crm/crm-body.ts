import { AppError, decode, validationError, type Class } from '@vaultsvc/contracts';
import type { CrmRecord } from '@vaultsvc/contracts/integrations';
import { parseObject } from '../chat/chat-webhook.js';
import { numbersAsText } from './json-ids.js';

/** Ids that a CRM may write as numbers. */
const IDS = ['portal_id', 'org_id', 'record_id', 'user_id'];

/** The body of a request of a CRM. Throws VALIDATION_ERROR. */
export function readCrmBody<T extends CrmRecord>(type: Class<T>, raw: Buffer): T {
  const json = raw.length === 0 ? '{}' : raw.toString('utf8');
  const given = parseObject(json);
  return decode(type, { ...given, ...numbersAsText(json, given, IDS) });
}

/** Ids of the body must be those that the CRM has signed; the body alone proves nothing. Throws VERIFIED_REQUEST_REFUSED. */
export function assertSame(signed: string, claimed: string | undefined): void {
  if (claimed !== undefined && claimed !== signed) throw new AppError('VERIFIED_REQUEST_REFUSED');
}

/** Throws VALIDATION_ERROR unless a person is named. */
export function requirePerson(userId: string | undefined): string {
  if (userId === undefined || userId === '')
    throw validationError({ field: 'user_id', message: 'user_id must be given' });
  return userId;
}

/** An org id has 15 characters, and 18 with a checksum of their case. */
export function shortOrgId(orgId: string): string {
  return /^00D[0-9A-Za-z]{15}$/.test(orgId) ? orgId.slice(0, 15) : orgId;
}
