import { AppError, decode, isEmail, Name } from '@vaultsvc/contracts';

/** A person whom the provider vouches for, with an address that it has verified. */
export interface ProvedIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  /** null when the provider gives none that could be shown. */
  readonly name: string | null;
}

/** What the provider says of a person, in an ID token or from its userinfo endpoint. */
export interface PersonClaims {
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly name?: unknown;
}

/** Whether these claims decide about the address; without one of both the userinfo endpoint may know more. */
export function tellsEmail({ email, email_verified: isVerified }: PersonClaims): boolean {
  return email !== undefined && isVerified !== undefined;
}

/**
 * 401 EMAIL_NOT_VERIFIED unless the provider says `email_verified: true`, as a JSON boolean: invitations and claimed
 * domains trust the address, and a provider that lets people type any would hand them to everybody.
 */
export function proveIdentity(issuer: string, subject: string, claims: PersonClaims): ProvedIdentity {
  const { email, email_verified: isVerified, name } = claims;
  if (isVerified !== true || typeof email !== 'string') throw new AppError('EMAIL_NOT_VERIFIED');
  const address = email.normalize('NFC');
  if (!isEmail(address)) throw new AppError('EMAIL_NOT_VERIFIED');
  return { issuer, subject, email: address, name: displayNameOf(name) };
}

class ProviderName {
  @Name({ max: 255 }) name: string;
}

/** A name that our own rules would refuse is left out: it is no reason to refuse its bearer. */
function displayNameOf(claim: unknown): string | null {
  if (typeof claim !== 'string') return null;
  try {
    return decode(ProviderName, { name: claim.normalize('NFC').trim() }).name;
  } catch {
    return null;
  }
}
