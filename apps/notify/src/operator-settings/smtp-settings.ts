import { type Parser, Secret } from '@vaultsvc/config';
import { isEmail } from '@vaultsvc/contracts';

/** Address, TLS mode and credentials of an SMTP server. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  readonly isTlsFromStart: boolean;
  readonly login?: { readonly user: string; readonly pass: string };
}

const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465; // RFC 8314, 3.3

/** Parses the setting SMTP_URL. Query parameters are rejected, because nodemailer options in them could disable TLS. */
export const smtpUrl: Parser<Secret> = (text) => {
  parseSmtpUrl(text);
  return new Secret(text);
};

/** @throws an error whose message never contains the value */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    throw new Error('must be a URL such as smtps://user:password@smtp.example.com');
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '')
    throw new Error('must have no path, query or fragment');
  const isTlsFromStart = url.protocol === 'smtps:';
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (isTlsFromStart ? SUBMISSIONS_PORT : SUBMISSION_PORT),
    isTlsFromStart,
    ...(url.username !== '' && { login: { user: decoded(url.username), pass: decoded(url.password) } }),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('must have its user and password percent-encoded');
  }
}

export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

const MAILBOX = /^(?:(?<quote>"?)(?<name>[^<>"\p{C}]*)\k<quote>\s*<(?<bracketed>[^<>]+)>|(?<bare>[^<>]+))$/u;

/** Parses `Example <no-reply@example.com>`, or an address alone. */
export function parseMailFrom(text: string): Mailbox | undefined {
  const { name = '', bracketed, bare } = MAILBOX.exec(text.trim())?.groups ?? {};
  const address = bracketed ?? bare ?? '';
  return isEmail(address) ? { name: name.trim(), address } : undefined;
}

/** Validates the setting MAIL_FROM and returns it unchanged. */
export const mailFrom: Parser<string> = (text) => {
  if (parseMailFrom(text)) return text;
  throw new Error('must be an address such as Example <no-reply@example.com>');
};
