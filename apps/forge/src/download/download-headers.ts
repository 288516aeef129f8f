import { MEDIA_TYPE } from '@vaultsvc/contracts';
import type { Istk } from '../istk/istk.js';
import type { RequestedRange } from './byte-range.js';

/**
 * FRG-19. Content-Length reveals a cut connection to the client. The content is untrusted and private: it may run no
 * scripts (`sandbox`) and not be cached, but players on pages of other origins may load it.
 */
export function downloadHeaders(
  { contentType, filename, ingotId, sizeBytes }: Istk,
  { offset, bytes, isPart }: RequestedRange,
): Record<string, string> {
  return {
    'Content-Type': MEDIA_TYPE.test(contentType) ? contentType : 'application/octet-stream',
    'Content-Disposition': attachmentDisposition(filename),
    'Content-Length': String(bytes),
    ...(isPart && { 'Content-Range': `bytes ${offset}-${offset + bytes - 1}/${sizeBytes}` }),
    'Accept-Ranges': 'bytes',
    'X-Ingot-ID': ingotId,
    'Cache-Control': 'private, no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
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
