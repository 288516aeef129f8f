import { MEDIA_TYPE } from '@vaultsvc/contracts';
import type { Istk } from '../istk/istk.js';
import type { RequestedRange } from './byte-range.js';
import { validatorsOf, type Validators } from './validators.js';

/**
 * FRG-19. Content-Length reveals a cut connection to the client. The content is untrusted and private: it may run no
 * scripts (`sandbox`) and not be cached, but players on pages of other origins may load it.
 */
export function downloadHeaders(
  istk: Istk,
  { offset, bytes, isPart }: RequestedRange,
): Record<string, string> {
  const { contentType, filename, ingotId, sizeBytes } = istk;
  return {
    ...validatorHeaders(validatorsOf(istk)),
    'Content-Type': MEDIA_TYPE.test(contentType) ? contentType : 'application/octet-stream',
    'Content-Disposition': attachmentDisposition(filename),
    'Content-Length': String(bytes),
    ...(isPart && { 'Content-Range': `bytes ${offset}-${offset + bytes - 1}/${sizeBytes}` }),
    'Accept-Ranges': 'bytes',
    'X-Ingot-ID': ingotId,
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
}

/** The headers that a 304 has, too (RFC 9110, 15.4.5). */
export function validatorHeaders({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ETag: etag,
    ...(lastModified !== undefined && { 'Last-Modified': lastModified }),
    'Cache-Control': 'private, no-store',
  };
}

/** Also what begins an encoded word (RFC 2047), which some browsers decode. */
const UNSAFE_IN_FALLBACK = /[^\x20-\x7e]|["\\%/]|(?<==)\?/gu;
// encodeURIComponent does not encode these; RFC 8187 requires it.
const NOT_IN_ATTRIBUTES = /['()*]/g;

/**
 * `attachment` under this name (RFC 6266). Old clients read `filename`, in ASCII and without characters that some of
 * them unescape; the others read `filename*` (RFC 8187). Encoding keeps a name from ending the header.
 */
export function attachmentDisposition(filename: string): string {
  const name = filename.replace(/[/\\]/g, '_');
  const fallback = name.replace(UNSAFE_IN_FALLBACK, '_');
  return `attachment; filename="${fallback}"; filename*=UTF-8''${percentEncoded(name)}`;
}

function percentEncoded(name: string): string {
  return encodeURIComponent(name).replace(
    NOT_IN_ATTRIBUTES,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
