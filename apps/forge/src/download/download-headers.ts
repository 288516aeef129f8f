import { MEDIA_TYPE } from '@vaultsvc/contracts';
import type { Istk } from '../istk/istk.js';
import type { Wanted } from './byte-range.js';
import { attachmentNamed } from './content-disposition.js';

/**
 * FRG-19. The length is always announced, so that a cut shows. The content is somebody's own: it may run nothing where it
 * is opened (`sandbox`), nothing may keep it, and players on pages of other origins may load it.
 */
export function downloadHeaders(
  { contentType, filename, ingotId, sizeBytes }: Istk,
  { offset, bytes, isPart }: Wanted,
): Record<string, string> {
  return {
    'Content-Type': MEDIA_TYPE.test(contentType) ? contentType : 'application/octet-stream',
    'Content-Disposition': attachmentNamed(filename),
    'Content-Length': String(bytes),
    ...(isPart && { 'Content-Range': `bytes ${offset}-${offset + bytes - 1}/${sizeBytes}` }),
    'Accept-Ranges': 'bytes',
    'X-Ingot-ID': ingotId,
    'Cache-Control': 'private, no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
}
