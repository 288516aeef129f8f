import { Secret, type Parser } from '@vaultsvc/config';

/** Where to hand mails over, and how. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  readonly isTlsFromStart: boolean;
  readonly login?: { readonly user: string; readonly pass: string };
}

const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465; // RFC 8314, 3.3

/**
 * An SMTP server as a setting. Options in a query are refused: an address must not be a way to turn TLS off.
 */
export const smtpUrl: Parser<Secret> = (text) => {
  parseSmtpUrl(text);
  return new Secret(text);
};

/** Throws a sentence that never holds the value. */
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

/** Where nobody else can listen: the only place that the local profile may speak plain text to. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
