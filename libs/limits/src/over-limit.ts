import { AppError } from '@vaultsvc/contracts';
import type { Window } from './admission.js';

/** 429 with what ENV-35 asks for. */
export class OverLimit extends AppError {
  constructor(readonly window: Window) {
    const { limit, used, resetsAt } = window;
    super('RATE_LIMIT_EXCEEDED', { limit, used: Math.min(used, limit), resets_at: resetsAt });
  }

  get retryAfterSeconds(): number {
    return Math.max(1, this.window.resetsAt - this.window.now);
  }
}

/** What a limiter that cannot count answers: the documented refusal, for one second (AMB-02, OPEN-53). */
export function limiterDown(limit: number): OverLimit {
  const now = Math.floor(Date.now() / 1_000);
  return new OverLimit({ of: 'account', limit, used: limit, resetsAt: now + 1, now });
}
