import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { canonicalUrl, type CanonicalUrl } from './canonical-url.js';

const SUFFIXES_MAX = 4;
const SUFFIX_LABELS_MAX = 5;
const FOLDERS_MAX = 4;

/**
 * The names under which a URL may be listed: the host and up to four of its parent domains, each with the path with
 * and without its query and up to four of its folders. Thirty at most, the most exact first.
 */
export function urlExpressions(url: string): readonly string[] {
  const canonical = canonicalUrl(url);
  const paths = pathsOf(canonical);
  return hostsOf(canonical.host).flatMap((host) => paths.map((path) => host + path));
}

/** SHA-256 of each expression: what lists hold the beginnings of. */
export function urlHashes(url: string): readonly Buffer[] {
  return urlExpressions(url).map((expression) => createHash('sha256').update(expression, 'latin1').digest());
}

/** Parents of the last five labels, down to two: a top-level domain is not asked for. */
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
