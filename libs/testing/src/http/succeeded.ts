import type { ApiResponse } from './api-response.js';

/**
 * The data of a success.
 * @throws the status, code, message and details of a refusal
 */
export function succeeded<T>({ status, error, data }: ApiResponse<T>): T {
  if (error) throw new Error(`${status} ${error.code}: ${error.message} ${JSON.stringify(error.details)}`);
  return data as T;
}
