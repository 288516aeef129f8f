import { Secret, type Parser } from '@vaultsvc/config';
import { isLoopback } from '../email/smtp-url.js';

/** Twilio's API, or what speaks like it, and our account there. */
export interface SmsProvider {
  /** `https://api.twilio.com` */
  readonly origin: string;
  readonly accountSid: string;
  readonly token: string;
}

/** The provider of texts as a setting. Plain HTTP is for an emulator on this machine. */
export const smsUrl: Parser<Secret> = (text) => {
  parseSmsUrl(text);
  return new Secret(text);
};

/** Throws a sentence that never holds the value. */
export function parseSmsUrl(text: string): SmsProvider {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !isProtected(url)) throw new Error('must be a URL such as https://sid:token@api.twilio.com');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new Error('must have no path, query or fragment');
  if (!/^AC[0-9a-f]{32}$/.test(url.username) || url.password === '')
    throw new Error('must hold an account SID (AC and 32 hexadecimal digits) and its token');
  return { origin: url.origin, accountSid: url.username, token: decoded(url.password) };
}

function isProtected({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[(.*)\]$/, '$1')));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('must have its token percent-encoded');
  }
}
