import { AppError, validationError } from '@vaultsvc/contracts';
import { readBody } from '@vaultsvc/http';
import type { Exchange } from '../server/exchange.js';

const WITHIN_MS = 10_000;

/**
 * Creation-with-upload is not offered: bytes that came with a POST would be lost, so none may (OPEN-14). A proxy that
 * does not know the length may send an empty body in chunks; its end is waited for, and not for ever.
 */
export async function assertEmptyBody({ request, response }: Exchange): Promise<void> {
  const timer = setTimeout(() => request.destroy(), WITHIN_MS);
  try {
    await readBody(request, response, 0);
  } catch (error) {
    throw error instanceof AppError ? validationError({ field: 'body', message: 'must be empty' }) : error;
  } finally {
    clearTimeout(timer);
  }
}
