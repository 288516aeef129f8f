import { isIPv4 } from 'node:net';
import { domainToASCII } from 'node:url';
import { createHash } from 'node:crypto';

/** A URL in the canonical form of Web Risk: bytes as Latin-1 characters, without port, fragment and credentials. */
export interface CanonicalUrl {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  /** Without the question mark; undefined when the URL has none. */
  readonly query: string | undefined;
}

/** Bytes up to 32 and from 127, `#` and `%`. */
const ESCAPED = /[\p{Cc}\u0020\u00a0-\u00ff#%]/gu;

/**
 * The canonicalization of Google's "URLs and hashing". It differs from the WHATWG parser on purpose: the lists contain
 * hashes of this form, so every byte must be the same.
 */
export function canonicalUrl(text: string): CanonicalUrl {
  const plain = text.replace(/^ +| +$|[\t\r\n]/g, '').replace(/#.*$/s, '');
  const [, scheme = 'http', authority = '', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/?]*)(.*)$/is.exec(
    plain,
  ) as RegExpExecArray;
  const [, path = '', query] = /^([^?]*)(?:\?(.*))?$/s.exec(unescaped(bytesOf(rest))) as RegExpExecArray;
  return {
    scheme: scheme.toLowerCase(),
    host: canonicalHost(authority),
    path: escaped(canonicalPath(path)),
    query: query === undefined ? undefined : escaped(query),
  };
}

/** The text form of Google's examples. */
export function formatCanonicalUrl({ scheme, host, path, query }: CanonicalUrl): string {
  return `${scheme}://${host}${path}${query === undefined ? '' : `?${query}`}`;
}

function canonicalHost(authority: string): string {
  const host = unescaped(bytesOf(domainToASCII(authority.replace(PORT, '')) || authority.replace(PORT, '')));
  const dotted = host.replace(/^\.+|\.+$/g, '').replace(/\.{2,}/g, '.');
  return addressIn(dotted) ?? escaped(dotted.toLowerCase());
}

const PORT = /:\d*$/;

/** Converts an IPv4 address in any notation to four decimals, an IPv6 address to the form of RFC 5952. */
function addressIn(host: string): string | undefined {
  if (!URL.canParse(`http://${host}/`)) return undefined;
  const { hostname } = new URL(`http://${host}/`);
  return isIPv4(hostname) || hostname.startsWith('[') ? hostname : undefined;
}

/** Resolves `/./` and `/../` before runs of slashes: `/a//../b` is `/a/b`. */
function canonicalPath(path: string): string {
  const segments: string[] = [];
  const parts = path.split('/').slice(1);
  for (const part of parts) {
    if (part === '..') segments.pop();
    else if (part !== '.') segments.push(part);
  }
  const last = parts.at(-1);
  const isFolder = last === '.' || last === '..';
  return `/${segments.join('/')}${isFolder ? '/' : ''}`.replace(/\/{2,}/g, '/');
}

function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

const PERCENT = '%'.charCodeAt(0);

/**
 * Until no escape is left: `%2525` is `%`. In one pass, in which each decoded byte can complete another escape: repeated passes
 * would take a time that grows with the square of the length. Escapes do not overlap, so that the order makes no difference.
 */
function unescaped(bytes: string): string {
  const output = Buffer.alloc(bytes.length);
  let length = 0;
  for (const byte of Buffer.from(bytes, 'latin1')) {
    output[length++] = byte;
    for (let decoded = escapeAt(output, length - 3); decoded >= 0; decoded = escapeAt(output, length - 3)) {
      length -= 2;
      output[length - 1] = decoded;
    }
  }
  return output.toString('latin1', 0, length);
}

/** The byte of the escape at this place; negative where there is none. */
function escapeAt(bytes: Buffer, at: number): number {
  if (at < 0 || bytes[at] !== PERCENT) return -1;
  const [high, low] = [hexOf(bytes[at + 1]), hexOf(bytes[at + 2])];
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/** Negative for a byte that is no hexadecimal digit. */
function hexOf(byte = 0): number {
  return HEX_VALUES[byte] as number;
}

const HEX_VALUES = Int8Array.from({ length: 256 }, (_, byte) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase()),
);

function escaped(bytes: string): string {
  return bytes.replace(
    ESCAPED,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

const SUFFIXES_MAX = 4;
const SUFFIX_LABELS_MAX = 5;
const FOLDERS_MAX = 4;

/**
 * The expressions that a list may contain for a URL: its host and up to four parent domains, each with the path with and
 * without query and with up to four parent folders. At most thirty, the most specific first.
 */
export function urlExpressions(url: string): readonly string[] {
  const canonical = canonicalUrl(url);
  const paths = pathsOf(canonical);
  return hostsOf(canonical.host).flatMap((host) => paths.map((path) => host + path));
}

/** SHA-256 of each expression; lists contain prefixes of these hashes. */
export function urlHashes(url: string): readonly Buffer[] {
  return urlExpressions(url).map((expression) => createHash('sha256').update(expression, 'latin1').digest());
}

/** Parent domains of five labels at most and two at least, so never a top-level domain. */
function hostsOf(host: string): readonly string[] {
  if (isIPv4(host) || host.startsWith('[')) return [host];
  const labels = host.split('.');
  const suffixes = [];
  for (let from = Math.max(1, labels.length - SUFFIX_LABELS_MAX); from < labels.length - 1; from += 1)
    suffixes.push(labels.slice(from).join('.'));
  return [host, ...suffixes.slice(0, SUFFIXES_MAX)];
}

function pathsOf({ path, query }: CanonicalUrl): readonly string[] {
  const segments = path.split('/').slice(1, -1);
  const folders = ['/'];
  for (const segment of segments.slice(0, FOLDERS_MAX - 1)) folders.push(`${folders.at(-1)}${segment}/`);
  return [...new Set([...(query ? [`${path}?${query}`] : []), path, ...folders])];
}
