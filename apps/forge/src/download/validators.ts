import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@vaultsvc/contracts';
import type { Istk } from '../istk/istk.js';

/** The validators of a version (RFC 9110, 8.8). Both are strong: the content of a version never changes. */
export interface Validators {
  readonly etag: string;
  /** undefined: the time of the upload is not known. */
  readonly lastModified: string | undefined;
}

/** Last-Modified must not be later than Date (RFC 9110, 8.8.2.1), which another clock may tell. */
export function validatorsOf(
  { versionId, modifiedAt }: Pick<Istk, 'versionId' | 'modifiedAt'>,
  nowMs = Date.now(),
): Validators {
  const etag = `"${versionId}"`;
  if (modifiedAt === null) return { etag, lastModified: undefined };
  return { etag, lastModified: new Date(Math.min(modifiedAt * 1_000, nowMs)).toUTCString() };
}

/**
 * Evaluates If-Match and If-None-Match in this order (RFC 9110, 13.2.2). True: the answer is 304. Throws IF_MATCH_FAILED
 * (412). Both leave the ISTK unused.
 */
export function isNotModified(headers: IncomingHttpHeaders, { etag }: Validators): boolean {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match !== undefined && !names(match, etag)) throw new AppError('IF_MATCH_FAILED');
  // If-None-Match compares weakly, If-Match strongly (13.1.1, 13.1.2).
  return noneMatch !== undefined && (names(noneMatch, etag) || names(noneMatch, `W/${etag}`));
}

/**
 * Whether a range applies: without If-Range, or if it is the strong ETag or exactly the date (RFC 9110, 13.1.5). Otherwise
 * the caller has a part of another version, and gets the whole of this one.
 */
export function isRangeCurrent(
  { 'if-range': ifRange }: IncomingHttpHeaders,
  { etag, lastModified }: Validators,
): boolean {
  return ifRange === undefined || ifRange === etag || ifRange === lastModified;
}

const ENTITY_TAGS = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** Whether a list of entity tags, or `*`, names this one. */
function names(list: string, etag: string): boolean {
  return list.trim() === '*' || (list.match(ENTITY_TAGS)?.includes(etag) ?? false);
}
