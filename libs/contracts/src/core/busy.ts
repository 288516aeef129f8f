import { AppError } from './errors.js';

/**
 * Others are at what the caller wants, and it would not be done in time: refused early, with nothing changed, in the form
 * of ENV-35. `limit`: how many may be at it at once.
 */
export class Busy extends AppError {
  constructor(limit: number, options?: { cause?: unknown }) {
    super('BUSY', { limit, used: limit, resets_at: Math.floor(Date.now() / 1_000) + 1 }, options);
  }
}
