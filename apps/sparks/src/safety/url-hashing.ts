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

const ESCAPE = /%([0-9a-f]{2})/gi;

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

/** Repeats until no escape is left: `%2525` is `%`. */
function unescaped(bytes: string): string {
  let text = bytes;
  let before;
  do {
    before = text;
    text = text.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  } while (text !== before);
  return text;
}

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
