import { identityKey, validationError } from '@vaultsvc/contracts';
import {
  MINT_BYTES_MAX,
  MINT_GRANTS_MAX,
  SPARK_PAYLOAD_BYTES_MAX,
  type GrantMinting,
  type VerificationLevel,
} from '@vaultsvc/contracts/sparks';
import { decodeBase64 } from '@vaultsvc/crypto/encoding';
import { isLinkDestination, kindOf } from '../spark/content.js';

/**
 * Decodes the content of a batch; the caller wipes it after use. Throws VALIDATION_ERROR for a content that is not base64
 * or too large, and for one of the type `text/uri-list` that is no http or https URL.
 */
export function grantContentOf({ content, content_type, grants }: GrantMinting): Buffer {
  const bytes = decodeBase64(content);
  if (!bytes) throw invalid('content', 'must be base64');
  if (bytes.length > SPARK_PAYLOAD_BYTES_MAX)
    throw invalid('content', `must have at most ${SPARK_PAYLOAD_BYTES_MAX} bytes`);
  if (bytes.length * grants.length > MINT_BYTES_MAX)
    throw invalid('grants', `must have at most ${MINT_BYTES_MAX} bytes of content together`);
  if (kindOf(content_type) === 'link' && !isLinkDestination(bytes.toString()))
    throw invalid('content', 'must be one http or https URL');
  return bytes;
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
