import { HttpException } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { JSON_CONTENT_TYPE, type RawHeaders } from './response.js';

/** `meta` of a success; `quota` and `pools` where they apply (ENV-04, ENV-09, ENV-10). */
export interface Meta {
  readonly api_version: string;
  readonly request_id: string;
  readonly response_ms: number;
  /** Epoch seconds. */
  readonly timestamp: number;
  readonly pools?: object;
  readonly quota?: object;
}

const HEAD = Buffer.from('{"data":');
const EMPTY_OBJECT = Buffer.from('{}');

/** The envelope `{data, meta}` around the JSON bytes of a service's reply, which are copied and not parsed. */
export function successBody(data: Uint8Array, meta: Meta): Buffer {
  const bytes = data.length === 0 ? EMPTY_OBJECT : data;
  return Buffer.concat([HEAD, bytes, Buffer.from(`,"meta":${JSON.stringify(meta)}}`)]);
}

/** The envelope `{error, meta}`; the meta of an error holds version and request id only (ENV-05). */
export function errorBody(error: AppError, apiVersion: string, requestId: string): Buffer {
  const { code, message, details } = error;
  return Buffer.from(
    JSON.stringify({
      error: { code, message, ...(details && { details }) },
      meta: { api_version: apiVersion, request_id: requestId },
    }),
  );
}

/** Content headers and body of an error response. `retryAfterSeconds`: the value of `Retry-After`, if any. */
export function errorResponse(
  error: AppError,
  apiVersion: string,
  requestId: string,
  retryAfterSeconds?: number,
): { headers: RawHeaders; body: Buffer } {
  const retryAfter = retryAfterSeconds === undefined ? [] : ['Retry-After', String(retryAfterSeconds)];
  return {
    headers: ['Content-Type', JSON_CONTENT_TYPE, ...retryAfter],
    body: errorBody(error, apiVersion, requestId),
  };
}

/** The error that is shown to the caller: an AppError itself, Nest's and Express' errors by status, else INTERNAL_ERROR. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const status = statusOf(error);
  if (status === 404 || status === 405) return new AppError('NOT_FOUND');
  if (status === 413) return new AppError('PAYLOAD_TOO_LARGE');
  if (status >= 400 && status < 500) return new AppError('VALIDATION_ERROR');
  return new AppError('INTERNAL_ERROR', undefined, { cause: error });
}

/**
 * Reads the status of the framework's own errors only. An error of an HTTP client has a `status` too: the one that
 * another server answered to this service, which says nothing about the caller's request.
 */
function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  // Express' router throws it for a path parameter whose percent-encoding is broken.
  if (error instanceof URIError && 'status' in error && error.status === 400) return 400;
  return 500;
}
