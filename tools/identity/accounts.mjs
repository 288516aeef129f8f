import { createHash } from 'node:crypto';

/** A person as this provider vouches for them: no password, whoever types an address is its owner. */
/** @typedef {{ sub: string, email: string, email_verified: boolean, name: string }} Claims */

const emailCharactersMax = 254;
const nameCharactersMax = 255;

// One address has one form here: the same fold as the product's, so that `Ann@` and `ann@` are one person.
const folded = (/** @type {string} */ email) => email.normalize('NFKC').toLowerCase().normalize('NFKC');

/** What somebody typed or sent cannot be an account; the message says which field and why. */
export class BadAccount extends Error {
  /**
   * @param {'email' | 'name' | 'email_verified'} field
   * @param {string} why
   */
  constructor(field, why) {
    super(`${field}: ${why}`);
    this.field = field;
    this.why = why;
  }
}

/**
 * @param {Record<string, unknown>} typed `email`, and optionally `name` (default: what stands before the @) and
 *   `email_verified` (default: true)
 * @returns {Claims}
 * @throws {BadAccount}
 */
export function claimsOf({ email, name, email_verified = true }) {
  const address = checkedEmail(email);
  if (typeof email_verified !== 'boolean') throw new BadAccount('email_verified', 'must be true or false');
  return {
    sub: subjectOf(address),
    email: address,
    email_verified,
    name: checkedName(name) || address.slice(0, address.lastIndexOf('@')),
  };
}

/**
 * An opaque name for whoever has this address, the same in every run: relying parties must not read it.
 * @param {string} email
 */
function subjectOf(email) {
  return createHash('sha256')
    .update(`vaultsvc local identity\n${folded(email)}`)
    .digest('base64url');
}

/** @param {unknown} value */
function checkedEmail(value) {
  if (typeof value !== 'string' || value.trim() === '')
    throw new BadAccount('email', 'type an e-mail address');
  const email = value.trim().normalize('NFC');
  if (email.length > emailCharactersMax)
    throw new BadAccount('email', `must be at most ${emailCharactersMax} characters`);
  if (!/^[^\s\p{C}@]{1,64}@[^\s\p{C}@.]+(\.[^\s\p{C}@.]+)*$/u.test(email))
    throw new BadAccount('email', 'must look like ann@example.com');
  return email;
}

/** @param {unknown} value */
function checkedName(value) {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string' || /\p{C}/u.test(value))
    throw new BadAccount('name', 'must be text without control characters');
  const name = value.trim().normalize('NFC');
  if (name.length > nameCharactersMax)
    throw new BadAccount('name', `must be at most ${nameCharactersMax} characters`);
  return name;
}
