import { identityKey, validationError } from '@vaultsvc/contracts';
import { MINT_GRANTS_MAX, type GrantMinting, type VerificationLevel } from '@vaultsvc/contracts/sparks';
import { decodeBase64 } from '@vaultsvc/crypto/encoding';
import { readContent } from '../../spark/sealing/content.js';

/**
 * Decodes the content of a send as that of a Spark (SPK-05, SPK-06); the caller wipes it after use. Throws PAYLOAD_TOO_LARGE
 * over 256,000 bytes, and VALIDATION_ERROR for a content that does not match its type.
 */
export function grantContentOf({ content, content_type }: GrantMinting): Buffer {
  const payload = decodeBase64(content);
  if (!payload) throw invalid('content', 'must be base64');
  return readContent(payload.toString(), content_type).bytes;
}

/** Throws VALIDATION_ERROR unless there are 1 to MINT_GRANTS_MAX grants whose identities fit the policy. */
export function assertGrantsFit({ grants, policy: { verification_level: level } }: GrantMinting): void {
  if (grants.length === 0 || grants.length > MINT_GRANTS_MAX)
    throw invalid('grants', `must hold 1 to ${MINT_GRANTS_MAX} grants`);
  for (const { identity } of grants) assertIdentityFits(identity, level);
  // One person with two links would otherwise be the second person, too (OPEN-64).
  const people = new Set(grants.map(({ identity }) => identity && identityKey(identity)));
  if (level === 'dual_control' && people.size < grants.length)
    throw invalid('grants', 'must have different identities for dual control');
}

/** Throws VALIDATION_ERROR unless there is an identity for every level but `none`. */
export function assertIdentityFits(identity: string | null, level: VerificationLevel): void {
  if ((identity === null) !== (level === 'none'))
    throw invalid('identity', 'is needed for every verification level but none, and for that not allowed');
}

function invalid(field: 'content' | 'grants' | 'identity', problem: string) {
  return validationError({ field, message: `${field} ${problem}` });
}
