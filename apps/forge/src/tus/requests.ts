import type { IncomingMessage } from 'node:http';
import { AppError, validationError } from '@vaultsvc/contracts';
import { INGOT_BYTES_MAX } from '@vaultsvc/contracts/vaults';
import { assertNotEncoded, assertSingleHeader } from '@vaultsvc/http';
import type { Exchange } from '../server/exchange.js';
import { TUS_VERSION } from './protocol.js';

const CHUNK_TYPE = 'application/offset+octet-stream';
const DIGITS = /^\d{1,16}$/;

/**
 * Another version than ours is 412 with those that are spoken (OPEN-14). Where the API asks no version of a caller,
 * of HEAD and DELETE (FRG-04), it may be absent: no version of the protocol means anything else by them.
 */
export function assertTusVersion({ request, response }: Exchange, { mayBeSilent = false } = {}): void {
  const version = request.headers['tus-resumable'];
  if (version === TUS_VERSION || (version === undefined && mayBeSilent)) return;
  response.setHeader('Tus-Version', TUS_VERSION);
  throw new AppError('TUS_VERSION_UNSUPPORTED');
}

/** The length of a new upload: 1 byte to 5 TiB. What this side does not offer would mean another one, and is refused. */
export function uploadLengthOf({ headers }: IncomingMessage): number {
  for (const field of ['Upload-Defer-Length', 'Upload-Concat']) {
    if (headers[field.toLowerCase()] !== undefined) throw invalid(field, 'must be absent: it is not offered');
  }
  const bytes = integerIn(headers['upload-length']);
  if (bytes !== undefined && bytes >= 1 && bytes <= INGOT_BYTES_MAX) return bytes;
  throw invalid('Upload-Length', `must be an integer from 1 to ${INGOT_BYTES_MAX}`);
}

/** Where a chunk is to go. Whether that is where the upload stands is for its row to say. */
export function chunkOffsetOf(request: IncomingMessage): number {
  assertChunkType(request);
  const offset = integerIn(request.headers['upload-offset']);
  if (offset !== undefined) return offset;
  throw invalid('Upload-Offset', 'must be an integer of 0 or more');
}

/** Names of types are the same in any case (RFC 9110, 8.3.1). */
function assertChunkType(request: IncomingMessage): void {
  assertSingleHeader(request, 'Content-Type');
  const type = request.headers['content-type']?.toLowerCase();
  if (type !== CHUNK_TYPE) throw invalid('Content-Type', `must be ${CHUNK_TYPE}`);
  assertNotEncoded(request);
}

/** What was declared of a chunk's length is believed before a byte is read; without it the bytes are counted. */
export function assertChunkLength({ headers }: IncomingMessage, bytes: number): void {
  const declared = headers['content-length'];
  if (declared !== undefined && Number(declared) !== bytes) throw wrongChunkLength(bytes);
}

export function wrongChunkLength(bytes: number): AppError {
  return invalid('Content-Length', `must be ${bytes}, the whole of the next chunk`);
}

function invalid(field: string, message: string): AppError {
  return validationError({ field, message });
}

/** Digits alone, as RFC 9110 writes a length; a header that was given twice reads `1, 1` and is none. */
function integerIn(text: string | string[] | undefined): number | undefined {
  return typeof text === 'string' && DIGITS.test(text) ? Number(text) : undefined;
}

const METHODS = new Set(['PATCH', 'DELETE', 'HEAD', 'POST']);

/**
 * Replaces the method of a POST by that of X-HTTP-Method-Override, for clients behind proxies that block PATCH and DELETE
 * (tus 1.0.0). As in tusd it is ignored on other methods: a proxy may repeat a GET or a HEAD, and neither may write. Must
 * be called before any code reads the method.
 */
export function applyMethodOverride(request: IncomingMessage): void {
  const method = request.headers['x-http-method-override'];
  if (request.method !== 'POST' || method === undefined) return;
  if (typeof method !== 'string' || !METHODS.has(method)) throw unknownMethod();
  request.method = method;
}

function unknownMethod(): Error {
  const message = `must be one of ${[...METHODS].join(', ')}, in capitals and once`;
  return validationError({ field: 'X-HTTP-Method-Override', message });
}
