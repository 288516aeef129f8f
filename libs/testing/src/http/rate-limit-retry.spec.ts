import { describe, expect, it } from '@jest/globals';
import type { ApiResponse } from './api-response.js';
import { UNREACHED_LIMIT, retryUncounted, retryRateLimited } from './rate-limit-retry.js';

const answer = (status: number, limit?: number) =>
  ({
    status,
    headers: { 'retry-after': '0' },
    error: limit && { code: 'RATE_LIMIT_EXCEEDED', details: { limit } },
  }) as unknown as ApiResponse;

async function sentUntil(...answers: ApiResponse[]) {
  const left = [...answers];
  const { status } = await retryUncounted(async () => left.shift() as ApiResponse);
  return { status, sent: answers.length - left.length };
}

describe('The client of test platforms', () => {
  it('retries requests that the limiter could not count, and no others', async () => {
    const late = answer(429, UNREACHED_LIMIT);
    expect(await sentUntil(late, late, answer(200), answer(200))).toEqual({ status: 200, sent: 3 });
    expect(await sentUntil(answer(429, UNREACHED_LIMIT * 1_000), answer(200))).toEqual({
      status: 200,
      sent: 2,
    });
    expect(await sentUntil(answer(429, 300), answer(200))).toEqual({ status: 429, sent: 1 });
    expect(await sentUntil(answer(500), answer(200))).toEqual({ status: 500, sent: 1 });
    expect(await sentUntil(...Array<ApiResponse>(9).fill(late))).toEqual({ status: 429, sent: 5 });
  });

  it('retries while the given predicate recognises a refusal', async () => {
    const left = ['refused', 'passed', 'passed'];
    const answer = await retryRateLimited(
      async () => left.shift(),
      (text) => text === 'refused',
    );
    expect([answer, left]).toEqual(['passed', ['passed']]);
  });
});
