import { TUS_RESUMABLE, TUS_VERSION } from '@tus/utils';
import { INGOT_BYTES_MAX } from '@vaultsvc/contracts/vaults';
import type { RawHeaders } from '@vaultsvc/http';

/** The supported versions of the protocol, as in Tus-Version. */
export const TUS_VERSIONS = TUS_VERSION.join(',');

/** "MUST be included in every request and response" (tus 1.0.0): also in errors. */
export const tusHeaders: RawHeaders = ['Tus-Resumable', TUS_RESUMABLE];

/** The capabilities of the upload endpoint, in its response to OPTIONS (FRG-02). */
export const tusCapabilities: RawHeaders = [
  'Tus-Version',
  TUS_VERSIONS,
  'Tus-Extension',
  'creation,termination',
  'Tus-Max-Size',
  String(INGOT_BYTES_MAX),
];

/**
 * Headers that pages of the allowed origins may send and read (OPEN-49, OPEN-54). `HEADERS` of @tus/utils does not fit: it
 * also lists Authorization and headers of proxies, and lacks ours. A page may send the refused Upload-Concat and
 * Upload-Defer-Length, so that it can read the error.
 */
export const corsHeaders = {
  allowHeaders: [
    'Content-Type',
    'If-Match',
    'If-None-Match',
    'If-Range',
    'Range',
    'Tus-Resumable',
    'Upload-Checksum',
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
    'Allow',
    'WWW-Authenticate',
    'Accept-Ranges',
    'Content-Disposition',
    'Content-Length',
    'Content-Range',
    'ETag',
    'Last-Modified',
  ],
};
