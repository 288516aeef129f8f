import { isProtectedUrl, type Parser, Secret } from '@vaultsvc/config';
import { identityTypeOf } from '@vaultsvc/contracts';

/** Origin and credentials of Twilio's API, or of a compatible one. */
export interface TwilioAccount {
  /** `https://api.twilio.com` */
  readonly origin: string;
  readonly accountSid: string;
  readonly token: string;
}

/** Parses the setting SMS_URL. Plain HTTP is accepted for an emulator on loopback only. */
export const smsUrl: Parser<Secret> = (text) => {
  parseSmsUrl(text);
  return new Secret(text);
};

/** @throws an error whose message never contains the value */
export function parseSmsUrl(text: string): TwilioAccount {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !isProtectedUrl(url)) throw new Error('must be a URL such as https://sid:token@api.twilio.com');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new Error('must have no path, query or fragment');
  if (!/^AC[0-9a-f]{32}$/.test(url.username) || url.password === '')
    throw new Error('must hold an account SID (AC and 32 hexadecimal digits) and its token');
  return { origin: url.origin, accountSid: url.username, token: decoded(url.password) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('must have its token percent-encoded');
  }
}

const MESSAGING_SERVICE = /^MG[0-9a-f]{32}$/;

/** Twilio's sender parameter: one number, or a messaging service that chooses a number. */
export function sender(from: string): { readonly From: string } | { readonly MessagingServiceSid: string } {
  return MESSAGING_SERVICE.test(from) ? { MessagingServiceSid: from } : { From: from };
}

/** Validates the setting SMS_FROM and returns it unchanged. */
export const smsFrom: Parser<string> = (text) => {
  if (identityTypeOf(text) === 'phone' || MESSAGING_SERVICE.test(text)) return text;
  throw new Error('must be a number such as +14155550100, or a messaging service (MG and 32 hex digits)');
};
