import { createHash } from 'node:crypto';

/** The claims of a person. This provider asks for no password: it trusts any address that is entered. */
export type Claims = { sub: string; email: string; email_verified: boolean; name: string };

const emailCharactersMax = 254;
const nameCharactersMax = 255;

// The same case folding as in the product, so that `Ann@` and `ann@` are one person.
const folded = (email: string) => email.normalize('NFKC').toLowerCase().normalize('NFKC');

/** Invalid input for an account. The message names the field and the reason. */
export class InvalidAccount extends Error {
  readonly field: 'email' | 'name' | 'email_verified';
  readonly reason: string;

  constructor(field: 'email' | 'name' | 'email_verified', reason: string) {
    super(`${field}: ${reason}`);
    this.field = field;
    this.reason = reason;
  }
}

/**
 * @param input `email`, and optionally `name` (default: the local part of the address) and
 *   `email_verified` (default: true)
 * @throws InvalidAccount
 */
export function claimsOf({ email, name, email_verified = true }: Record<string, unknown>): Claims {
  const address = checkedEmail(email);
  if (typeof email_verified !== 'boolean')
    throw new InvalidAccount('email_verified', 'must be true or false');
  return {
    sub: subjectOf(address),
    email: address,
    email_verified,
    name: checkedName(name) || address.slice(0, address.lastIndexOf('@')),
  };
}

/** An opaque identifier derived from the address, which is the same in every run. */
function subjectOf(email: string) {
  return createHash('sha256')
    .update(`vaultsvc local identity\n${folded(email)}`)
    .digest('base64url');
}

function checkedEmail(value: unknown) {
  if (typeof value !== 'string' || value.trim() === '')
    throw new InvalidAccount('email', 'type an e-mail address');
  const email = value.trim().normalize('NFC');
  if (email.length > emailCharactersMax)
    throw new InvalidAccount('email', `must be at most ${emailCharactersMax} characters`);
  if (!/^[^\s\p{C}@]{1,64}@[^\s\p{C}@.]+(\.[^\s\p{C}@.]+)+$/u.test(email))
    throw new InvalidAccount('email', 'must look like ann@example.com');
  return email;
}

function checkedName(value: unknown) {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string' || /\p{C}/u.test(value))
    throw new InvalidAccount('name', 'must be text without control characters');
  const name = value.trim().normalize('NFC');
  if (name.length > nameCharactersMax)
    throw new InvalidAccount('name', `must be at most ${nameCharactersMax} characters`);
  return name;
}

/** The accounts that signed in on the page since the start of this process, for the tokens issued later. */
export class SignedInAccounts {
  #bySubject: Map<string, Claims> = new Map();

  /**
   * @returns the subject
   * @throws InvalidAccount
   */
  remember(input: Record<string, unknown>): string {
    const claims = claimsOf(input);
    this.#bySubject.set(claims.sub, claims);
    return claims.sub;
  }

  claims(sub: string) {
    return this.#bySubject.get(sub);
  }
}
