// RFC 5321, 4.5.3.1: 64 octets of local part; a path of 256 octets with its angle brackets.
// No quoted local parts, and none of the specials of RFC 5322, 3.2.3: one header would read as several addresses.
const EMAIL = /^[^\s@\p{C}()<>[\]:;,\\"]{1,64}@[^\s@\p{C}()<>[\]:;,\\"]+\.[^\s@\p{C}()<>[\]:;,\\"]+$/u;
export const EMAIL_CHARACTERS_MAX = 254;

/** Whether a text can be an e-mail address at all. Only a mail that arrives proves more. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_CHARACTERS_MAX && EMAIL.test(text);
}

/** How somebody without an account is reached, and proves to be who was meant. */
export type IdentityType = 'email' | 'phone';

/** E.164: a plus and at most 15 digits, the first of them not 0. */
const PHONE = /^\+[1-9]\d{6,14}$/;

/** Whether a text is an e-mail address or an E.164 phone number; undefined when it is neither. */
export function identityTypeOf(text: string): IdentityType | undefined {
  if (PHONE.test(text)) return 'phone';
  return isEmail(text) ? 'email' : undefined;
}

/**
 * The form in which identities are compared: addresses without regard to the case of ASCII letters. Others are compared
 * as they are: in Unicode, what lower case makes equal may be another mailbox (the Kelvin sign becomes a k).
 */
export function identityKey(identity: string): string {
  return identity.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
