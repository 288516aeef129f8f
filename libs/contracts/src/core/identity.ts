import { isEmail } from './fields.js';

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
