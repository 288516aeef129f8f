// RFC 5321, 4.5.3.1: 64 octets of local part; a path of 256 octets with its angle brackets.
// No quoted local parts and no specials of RFC 5322, 3.2.3: with them one header could hold several addresses.
const EMAIL = /^[^\s@\p{C}()<>[\]:;,\\"]{1,64}@[^\s@\p{C}()<>[\]:;,\\"]+\.[^\s@\p{C}()<>[\]:;,\\"]+$/u;
/** RFC 5321 allows 256 octets for a path, which includes the angle brackets. */
export const EMAIL_CHARACTERS_MAX = 254;

/** Whether a string has the form of an e-mail address. Only a delivered mail proves that the address exists. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_CHARACTERS_MAX && EMAIL.test(text);
}

/** How a person without an account is contacted and verified. */
export type IdentityType = 'email' | 'phone';

/** E.164: a plus and at most 15 digits, the first of them not 0. */
const PHONE = /^\+[1-9]\d{6,14}$/;

/** The type of an identity; undefined if the string is neither an e-mail address nor an E.164 phone number. */
export function identityTypeOf(text: string): IdentityType | undefined {
  if (PHONE.test(text)) return 'phone';
  return isEmail(text) ? 'email' : undefined;
}

/**
 * The form in which identities are compared: ASCII letters in lower case, all others unchanged. Unicode lower case would
 * equate different mailboxes (the Kelvin sign becomes a k).
 */
export function identityKey(identity: string): string {
  return identity.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
