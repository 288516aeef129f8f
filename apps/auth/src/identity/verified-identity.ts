import { AppError, decode, isKnownEmail, Name } from '@vaultsvc/contracts';

/** A person authenticated by the provider, with a verified address. */
export interface VerifiedIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  /** null if the provider sends no valid name. */
  readonly name: string | null;
}

/** Claims about a person, from an ID token or the userinfo endpoint. */
export interface PersonClaims {
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly name?: unknown;
}

/** Whether the claims contain both `email` and `email_verified`; otherwise the userinfo endpoint is asked. */
export function hasEmailClaims({ email, email_verified: isVerified }: PersonClaims): boolean {
  return email !== undefined && isVerified !== undefined;
}

/**
 * Converts claims to an identity. Invitations and claimed domains trust the address, so it must be verified.
 * @throws EMAIL_NOT_VERIFIED (401) unless the provider sends `email_verified: true` as a JSON boolean
 */
export function verifyIdentityClaims(
  issuer: string,
  subject: string,
  claims: PersonClaims,
): VerifiedIdentity {
  const { email, email_verified: isVerified, name } = claims;
  if (isVerified !== true || typeof email !== 'string') throw new AppError('EMAIL_NOT_VERIFIED');
  const address = email.normalize('NFC');
  if (!isKnownEmail(address)) throw new AppError('EMAIL_NOT_VERIFIED');
  return { issuer, subject, email: address, name: displayNameOf(name) };
}

class ProviderName {
  @Name({ max: 255 }) name: string;
}

/** Drops a name that our own rules would reject: that is no reason to refuse the sign-in. */
function displayNameOf(claim: unknown): string | null {
  if (typeof claim !== 'string') return null;
  try {
    return decode(ProviderName, { name: claim.normalize('NFC').trim() }).name;
  } catch {
    return null;
  }
}
