import { HttpException } from '@nestjs/common';
import { AppError, publicReason } from '@vaultsvc/contracts';
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

/** The facts about the API in every error body. */
export interface ApiInfo {
  readonly version: string;
  /** The origin whose `/docs/errors` explains the reasons. */
  readonly origin: string;
}

/** The same of all responses of a process, from its settings. */
export function apiInfoOf(config: { readonly BUILD_VERSION: string; readonly API_ORIGIN: string }): ApiInfo {
  return { version: config.BUILD_VERSION, origin: config.API_ORIGIN };
}

/**
 * The envelope `{error, meta}`; the meta of an error holds version and request id only (ENV-05). The details of every error have
 * its stable reason and the address that explains it.
 */
export function errorBody(error: AppError, { version, origin }: ApiInfo, requestId: string): Buffer {
  const { code, message, details } = error;
  const reason = publicReason(error.reason);
  return Buffer.from(
    JSON.stringify({
      error: { code, message, details: { ...details, reason, docs: `${origin}/docs/errors#${reason}` } },
      meta: { api_version: version, request_id: requestId },
    }),
  );
}

/** The error of a request, and what its headers need besides. */
export interface ErrorToSend {
  readonly error: AppError;
  readonly requestId: string;
  /** The value of `Retry-After`, if any. */
  readonly retryAfterSeconds: number | undefined;
  /** Whether the request has an access token, and this was refused. */
  readonly isTokenRefused?: boolean;
}

/** Content headers and body of an error response. */
export function errorResponse(
  { error, requestId, retryAfterSeconds, isTokenRefused = false }: ErrorToSend,
  api: ApiInfo,
): { headers: RawHeaders; body: Buffer } {
  const retryAfter = retryAfterSeconds === undefined ? [] : ['Retry-After', String(retryAfterSeconds)];
  const challenge = error.status === 401 ? ['WWW-Authenticate', challengeOf(isTokenRefused)] : [];
  return {
    headers: ['Content-Type', JSON_CONTENT_TYPE, ...retryAfter, ...challenge, ...allowOf(error)],
    body: errorBody(error, api, requestId),
  };
}

/** RFC 6750, 3: without a token there is no error code. Browsers show no dialog for Bearer. */
function challengeOf(isTokenRefused: boolean): string {
  return isTokenRefused ? 'Bearer realm="vaultsvc", error="invalid_token"' : 'Bearer realm="vaultsvc"';
}

/** The methods of a path that was called with another one (RFC 9110, 10.2.1). */
function allowOf({ reason, details }: AppError): RawHeaders {
  const methods = reason === 'METHOD_NOT_FOUND' ? details?.['methods'] : undefined;
  return Array.isArray(methods) ? ['Allow', methods.join(', ')] : [];
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
