import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHarness, urlOf, type Harness } from '@vaultsvc/testing/harness';
import { startRedis, type TestServer } from '@vaultsvc/testing/servers';
import { eventually } from '@vaultsvc/testing/waiting';
import { forge } from '../service-definition.js';

const LIMIT = 5;
let harness: Harness;
let redis: TestServer;
let url: string;
beforeAll(async () => {
  harness = await startHarness({ LOG_LEVEL: 'silent' });
  redis = await startRedis();
  const settings = {
    REDIS_URL: redis.url,
    REDIS_ANSWER_MS: '30000', // for a busy machine; a stopped Redis is noticed at once
    RATE_LIMIT_PER_IP_PER_MINUTE: String(LIMIT),
    TRUSTED_PROXIES: '127.0.0.1',
  };
  url = urlOf(await harness.start(forge, settings));
});
afterAll(async () => {
  await harness.stop();
  await redis.stop();
});

const from = (address: string, path: string, method = 'GET') =>
  fetch(`${url}${path}`, { method, headers: { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' } });

describe('OPEN-10: a guess of an ISTK or upload id', () => {
  it('is answered with 429 beyond the limit per minute of its address', async () => {
    const one = (path: string) => from('203.0.113.1', path);
    const guesses = await Promise.all(Array.from({ length: 20 }, () => one('/nothing')));
    const statuses = guesses.map(({ status }) => status).sort();
    // The minute of Redis may end during the test and start a new count.
    expect(statuses.filter((status) => status === 404).length).toBeLessThanOrEqual(2 * LIMIT);
    expect(statuses.at(-1)).toBe(429);
    const over = guesses.find(({ status }) => status === 429) as Response;
    const retryAfter = Number(over.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(await over.json()).toMatchObject({
      error: {
        code: 'RATE_LIMIT_EXCEEDED',
        details: { limit: LIMIT, used: LIMIT, resets_at: expect.any(Number) },
      },
      meta: { request_id: over.headers.get('x-request-id') },
    });
  });

  it('does not count for other addresses, and other requests do not count', async () => {
    const other = (path: string, method?: string) => from('203.0.113.2', path, method);
    for (let i = 0; i < 3 * LIMIT; i += 1) expect((await other('/health')).status).toBe(200);
    for (let i = 0; i < 3 * LIMIT; i += 1) expect((await other('/encrypt', 'OPTIONS')).status).toBe(204);
    expect((await other('/nothing')).status).toBe(404);
  });

  it('ENV-36 ENV-44 AMB-02: is answered with LIMITER_UNAVAILABLE, without figures, while Redis is down', async () => {
    await redis.stop();
    const response = await eventually(
      () => from('203.0.113.3', '/nothing'),
      ({ status }) => status === 429,
    );
    expect(response.headers.get('retry-after')).toBe('1');
    const { error } = (await response.json()) as { error: { details: object } };
    expect(error).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      message: 'The rate limiter cannot be reached, so the request was not counted. Try again in one second.',
      details: { reason: 'LIMITER_UNAVAILABLE' },
    });
    expect(Object.keys(error.details).sort()).toEqual(['docs', 'reason']);
    expect((await from('203.0.113.3', '/health')).status).toBe(200);
  });
});
