import { describe, expect, it } from '@jest/globals';
import type { Answer } from './api.js';
import { PLENTY, untilCounted, untilPassed } from './plenty.js';

const answer = (status: number, limit?: number) =>
  ({
    status,
    headers: { 'retry-after': '0' },
    error: limit && { code: 'RATE_LIMIT_EXCEEDED', details: { limit } },
  }) as unknown as Answer;

async function sentUntil(...answers: Answer[]) {
  const left = [...answers];
  const { status } = await untilCounted(async () => left.shift() as Answer);
  return { status, sent: answers.length - left.length };
}

describe('a client of test platforms', () => {
  it('sends again what a limiter refused that could not count, and nothing else', async () => {
    const late = answer(429, PLENTY);
    expect(await sentUntil(late, late, answer(200), answer(200))).toEqual({ status: 200, sent: 3 });
    expect(await sentUntil(answer(429, PLENTY * 1_000), answer(200))).toEqual({ status: 200, sent: 2 });
    expect(await sentUntil(answer(429, 300), answer(200))).toEqual({ status: 429, sent: 1 });
    expect(await sentUntil(answer(500), answer(200))).toEqual({ status: 500, sent: 1 });
    expect(await sentUntil(...Array<Answer>(9).fill(late))).toEqual({ status: 429, sent: 5 });
  });

  it('may say by itself what is refused', async () => {
    const left = ['refused', 'passed', 'passed'];
    const answer = await untilPassed(
      async () => left.shift(),
      (text) => text === 'refused',
    );
    expect([answer, left]).toEqual(['passed', ['passed']]);
  });
});
