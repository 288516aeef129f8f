import { MEDIA_TYPE } from '@vaultsvc/contracts';
import type { Istk } from '../istk/istk.js';
import type { RequestedRange } from './byte-range.js';

/**
 * FRG-19. The length is always announced, so that a cut shows. The content is somebody's own: it may run nothing where it
 * is opened (`sandbox`), nothing may keep it, and players on pages of other origins may load it.
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

const UNSAFE_IN_FALLBACK = /[^\x20-\x7e]|["\\%/]/gu;
// encodeURIComponent leaves these as they are, and RFC 8187 does not.
const NOT_IN_ATTRIBUTES = /['()*]/g;

/**
 * Save it, under this name (RFC 6266). Old clients read `filename`, in ASCII and without anything that one of them takes
 * for an escape, the others `filename*` (RFC 8187). No name can end the header: what is not plain is encoded.
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
