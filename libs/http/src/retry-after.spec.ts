import { describe, expect, it } from '@jest/globals';
import { retryAfterMs } from './retry-after.js';

describe('AUD-16 NTF-43: the time of a retry', () => {
  it('is read from Retry-After as seconds or as a date', () => {
    const now = Date.parse('2026-07-31T12:00:00Z');
    expect(retryAfterMs('120', now)).toBe(120_000);
    expect(retryAfterMs('Fri, 31 Jul 2026 12:02:00 GMT', now)).toBe(120_000);
    expect(retryAfterMs('Fri, 31 Jul 2026 11:00:00 GMT', now)).toBe(0);
    for (const malformed of [undefined, '', 'soon', '-5x'])
      expect(retryAfterMs(malformed, now)).toBeUndefined();
  });
});
