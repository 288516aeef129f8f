import { describe, expect, it } from '@jest/globals';
import { AppError, LimitReached } from '@vaultsvc/contracts';
import { assertWithinLimit, RateLimitExceeded, retryAfterSeconds } from './rate-limit-exceeded.js';

const window = (used: number, now = 1_000) =>
  ({ of: 'account', limit: 300, used, resetsAt: 1_060, now }) as const;
const epochSeconds = () => Math.floor(Date.now() / 1_000);

describe('a call beyond the limit', () => {
  it('ENV-35 AMB-02: is 429 with limit, used and resets_at; used is never more than the limit', () => {
    expect(() => assertWithinLimit(window(300))).not.toThrow();
    for (const used of [301, 5_000])
      expect(() => assertWithinLimit(window(used))).toThrow(
        expect.objectContaining({
          status: 429,
          code: 'RATE_LIMIT_EXCEEDED',
          details: expect.objectContaining({ limit: 300, used: 300, resets_at: 1_060 }),
        }),
      );
    expect(new RateLimitExceeded(window(7)).details).toMatchObject({ used: 7 });
  });

  it.each([
    [1_000, 60],
    [1_059, 1],
    [1_060, 1],
    [1_070, 1],
  ])('ENV-35: at %i of a window that ends at 1060 may be repeated after %i s', (now, seconds) => {
    expect(retryAfterSeconds(new RateLimitExceeded(window(301, now)))).toBe(seconds);
  });

  it.each(['LIMITER_UNAVAILABLE', 'IDEMPOTENCY_KEY_IN_USE'] as const)(
    'OPEN-53 OPEN-67: may be repeated after a second: %s',
    (reason) => {
      expect(retryAfterSeconds(new AppError(reason))).toBe(1);
    },
  );

  it('ENV-44: of any other limit may be repeated when that resets, and after a second at least', () => {
    const reached = (resets_at: number) =>
      new LimitReached('RATE_LIMIT_EXCEEDED', { limit: 5, used: 5, resets_at });
    const inAMinute = retryAfterSeconds(reached(epochSeconds() + 60));
    expect([59, 60, 61]).toContain(inAMinute);
    expect(retryAfterSeconds(reached(epochSeconds() - 5))).toBe(1);
  });

  it('ENV-44: other errors have no time, whatever their details, and neither have limits without details', () => {
    expect(retryAfterSeconds(new AppError('NOT_FOUND'))).toBeUndefined();
    expect(retryAfterSeconds(new AppError('RATE_LIMIT_EXCEEDED'))).toBeUndefined();
    expect(retryAfterSeconds(new AppError('NOT_FOUND', { resets_at: epochSeconds() + 60 }))).toBeUndefined();
  });
});
