import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { AppError, Busy, errorReasons, LimiterUnavailable, LimitReached } from './errors.js';

/** Every reason whose status is 429 and whose limit was reached. */
const LIMITS = [
  'BODY_BUDGET_EXHAUSTED',
  'BUSY',
  'FEED_SOCKETS_EXHAUSTED',
  'LINK_CODES_EXHAUSTED',
  'MESSAGES_EXHAUSTED',
  'RATE_LIMIT_EXCEEDED',
  'TOO_MANY_DOWNLOADS',
];

const root = join(import.meta.dirname, '../../../..');
const sources = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !/node_modules|dist/.test(file))
    .map((file) => join(folder, file)),
);

describe('ENV-44: the 429s', () => {
  it('are those of a limit, and the one of a limiter that cannot count', () => {
    const reasons = Object.entries(errorReasons).filter(([, { code }]) => code === 'RATE_LIMIT_EXCEEDED');
    expect(reasons.map(([reason]) => reason).sort()).toEqual([...LIMITS, 'LIMITER_UNAVAILABLE'].sort());
  });

  it('are made by LimitReached alone, which has limit, used and resets_at', () => {
    const others = sources.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const thrown = [...text.matchAll(/new AppError\(\s*'([A-Z_]+)'/g)].map(
        ([, reason]) => reason as string,
      );
      return thrown.filter((reason) => LIMITS.includes(reason)).map((reason) => `${file}: ${reason}`);
    });
    expect(sources.length).toBeGreaterThan(1_000);
    expect(others).toEqual([]);
    const details = { limit: 5, used: 5, resets_at: 1_795_600_020 };
    expect(new LimitReached('MESSAGES_EXHAUSTED', details).details).toEqual(details);
    expect(new Busy(2).details).toEqual({ limit: 2, used: 2, resets_at: expect.any(Number) });
  });

  it('AMB-02: have no figures while the limiter cannot count', () => {
    const error: AppError = new LimiterUnavailable();
    expect([error.status, error.code, error.reason, error.details]).toEqual([
      429,
      'RATE_LIMIT_EXCEEDED',
      'LIMITER_UNAVAILABLE',
      undefined,
    ]);
  });
});
