import type { Parser } from '@vaultsvc/config';
import { identityTypeOf } from '@vaultsvc/contracts';

const MESSAGING_SERVICE = /^MG[0-9a-f]{32}$/;

/** The parameter that says who a text is from: one number, or a service that chooses one of many. */
export function sender(from: string): { readonly From: string } | { readonly MessagingServiceSid: string } {
  return MESSAGING_SERVICE.test(from) ? { MessagingServiceSid: from } : { From: from };
}

/** Checks a setting, and leaves it as it was given. */
export const smsFrom: Parser<string> = (text) => {
  if (identityTypeOf(text) === 'phone' || MESSAGING_SERVICE.test(text)) return text;
  throw new Error('must be a number such as +14155550100, or a messaging service (MG and 32 hex digits)');
};
