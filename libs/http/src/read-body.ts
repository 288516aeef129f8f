import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, validationError } from '@vaultsvc/contracts';
import { invite } from './invite.js';

/** The caller went away before the body was complete: there is nobody to answer. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/**
 * The whole body, at most this many bytes, else PAYLOAD_TOO_LARGE: by its declared length before a byte is read, and
 * by its true length while reading (OPEN-06). What is left of a refused body is for `discard`. The caller is
 * invited once the declared length is accepted.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  bytesMax: number,
): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > bytesMax) return Promise.reject(tooLarge(bytesMax));
  if (request.destroyed) return Promise.reject(new CallerGone('the caller closed the connection'));
  invite(request, response);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (act: () => void) => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      act();
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) return settle(() => reject(tooLarge(bytesMax)));
      chunks.push(chunk);
    };
    const onEnd = () =>
      settle(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, bytes)));
    const onClose = () => settle(() => reject(new CallerGone('the caller closed the connection')));
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

function tooLarge(bytesMax: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', { bytes_max: bytesMax });
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*(?:charset\s*=\s*"?utf-8"?\s*)?)?$/i;

/** Bodies are JSON in UTF-8 and not compressed; a body without a type is taken for JSON. */
export function assertJsonBody(request: IncomingMessage): void {
  const type = request.headers['content-type'];
  assertOnce(request, 'Content-Type');
  if (type !== undefined && !JSON_TYPE.test(type)) {
    throw validationError({ field: 'Content-Type', message: 'must be application/json' });
  }
  assertPlain(request);
}

/** Nothing here decodes a body: one that is encoded would be taken for what it is not. */
export function assertPlain({ headers: { 'content-encoding': encoding } }: IncomingMessage): void {
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw validationError({ field: 'Content-Encoding', message: 'must be absent: bodies are not compressed' });
}

/** Node keeps the first of a repeated header; a proxy may have kept the last, and read another request than we do. */
export function assertOnce(
  { rawHeaders }: IncomingMessage,
  name: 'Authorization' | 'Content-Type' | 'Host',
): void {
  const lower = name.toLowerCase();
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const candidate = rawHeaders[i] as string;
    if (candidate.length === lower.length && candidate.toLowerCase() === lower) count += 1;
  }
  if (count > 1) throw validationError({ field: name, message: 'must be given once' });
}
