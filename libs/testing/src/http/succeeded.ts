import type { Answer } from './api.js';

/** The data of an answer that a test needs in order to go on. Throws what a refusal says. */
export function succeeded<T>({ status, error, data }: Answer<T>): T {
  if (error) throw new Error(`${status} ${error.code}: ${error.message} ${JSON.stringify(error.details)}`);
  return data as T;
}
