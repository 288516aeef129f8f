import { INGOT_BYTES_MAX } from '@vaultsvc/contracts/vaults';
import type { RawHeaders } from '@vaultsvc/http';

/** The one version of the protocol that is spoken (tus.io, 1.0.0). */
export const TUS_VERSION = '1.0.0';

/** "MUST be included in every request and response" (tus 1.0.0): of refusals too. */
export const tusHeaders: RawHeaders = ['Tus-Resumable', TUS_VERSION];

/** What a client learns before it uploads (FRG-02). */
export const tusCapabilities: RawHeaders = [
  'Tus-Version',
  TUS_VERSION,
  'Tus-Extension',
  'creation,termination',
  'Tus-Max-Size',
  String(INGOT_BYTES_MAX),
];

/**
 * Headers that pages of the allowed origins may send and read (OPEN-49, OPEN-54). Some are refused: that a page may send
 * them lets it read why.
 */
export const corsHeaders = {
  allowHeaders: [
    'Content-Type',
    'Range',
    'Tus-Resumable',
    'Upload-Concat',
    'Upload-Defer-Length',
    'Upload-Length',
    'Upload-Metadata',
    'Upload-Offset',
    'X-HTTP-Method-Override',
    'X-ISTK',
    'X-Request-Id',
  ],
  exposeHeaders: [
    'Location',
    'Tus-Resumable',
    'Tus-Version',
    'Tus-Extension',
    'Tus-Max-Size',
    'Upload-Offset',
    'Upload-Length',
    'X-Chunk-Size',
    'X-Ingot-ID',
    'X-Request-Id',
    'Retry-After',
    'Accept-Ranges',
    'Content-Disposition',
    'Content-Length',
    'Content-Range',
  ],
};
