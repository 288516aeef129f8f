import type { AppError } from '@vaultsvc/contracts';

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

/** `{data, meta}` around the bytes that a service answered: they are not parsed and written anew. */
export function successBody(data: Uint8Array, meta: Meta): Buffer {
  const bytes = data.length === 0 ? EMPTY_OBJECT : data;
  return Buffer.concat([HEAD, bytes, Buffer.from(`,"meta":${JSON.stringify(meta)}}`)]);
}

/** `{error, meta}`: of an error's meta nothing but version and request id is shown (ENV-05). */
export function errorBody(error: AppError, apiVersion: string, requestId: string): Buffer {
  const { code, message, details } = error;
  return Buffer.from(
    JSON.stringify({
      error: { code, message, ...(details && { details }) },
      meta: { api_version: apiVersion, request_id: requestId },
    }),
  );
}
