import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DataKeys } from '@vaultsvc/crypto/data-keys';
import { RedisConnection } from '@vaultsvc/limits';
import { reasonOf } from '@vaultsvc/testing/harness';
import { startKms, startRedis, type TestServer } from '@vaultsvc/testing/servers';
import { until } from '@vaultsvc/testing/waiting';
import { mintSession, type TestSession } from '@vaultsvc/tools-testing/accounts';
import {
  forgeRefreshToken,
  refreshTokenFields,
  startSessionFixture,
  type SessionFixture,
} from '../testing/session-fixture.js';

let fixture: SessionFixture;
let redis: TestServer;
let kms: TestServer;

beforeAll(async () => {
  [redis, kms] = await Promise.all([startRedis(), startKms()]);
  const settings = { REDIS_URL: redis.url, REDIS_ANSWER_MS: '1000', KMS_ENDPOINT: kms.url };
  fixture = await startSessionFixture(settings);
});
afterAll(async () => {
  await fixture.harness.stop();
  await Promise.all([redis.stop(), kms.stop()]);
});

const stateOf = async ({ sessionId }: TestSession) =>
  (
    await fixture.sql(`SELECT head, revoked_at IS NOT NULL AS ended FROM families WHERE id = $1`, [sessionId])
  )[0];

async function withoutRedis<T>(work: () => Promise<T>): Promise<T> {
  redis.pause();
  try {
    return await work();
  } finally {
    redis.resume();
    const ping = () => fixture.service.context.get(RedisConnection).command(['PING']);
    await until(async () => (await ping()) === 'PONG');
  }
}

describe('while Redis is down', () => {
  it('AUTH-26 OPEN-52: a logout commits but answers 500, and its repetition ends the access tokens', async () => {
    const session = await mintSession(fixture.service);
    expect(await fixture.admits(session.sessionId)).toBe(true);
    expect(await withoutRedis(() => reasonOf(fixture.logout(session.refreshToken)))).toBe('INTERNAL_ERROR');
    expect(await stateOf(session)).toMatchObject({ ended: true });
    await fixture.logout(session.refreshToken);
    expect(await fixture.admits(session.sessionId)).toBe(false);
  });

  it('AUTH-23 OPEN-52: a replay ends the session but answers 500, and its repetition ends the access tokens', async () => {
    const session = await mintSession(fixture.service);
    await fixture.refresh(session.refreshToken);
    await fixture.ageExchanges(session.sessionId, '30 seconds');
    expect(await fixture.admits(session.sessionId)).toBe(true);
    const again = () => reasonOf(fixture.refresh(session.refreshToken));
    expect(await withoutRedis(again)).toBe('INTERNAL_ERROR');
    expect(await stateOf(session)).toMatchObject({ ended: true });
    expect(await again()).toBe('REFRESH_TOKEN_INVALID');
    expect(await fixture.admits(session.sessionId)).toBe(false);
  });

  it('a refresh succeeds', async () => {
    const session = await mintSession(fixture.service);
    expect(await withoutRedis(() => reasonOf(fixture.refresh(session.refreshToken)))).toBe('none');
  });
});

describe('while KMS is down', () => {
  const fault = (mode: string) =>
    fetch(`${kms.url}/_fault`, { method: 'POST', body: JSON.stringify({ mode }) });
  const forgetKeys = () => fixture.service.context.get(DataKeys).close();
  /** Waits until the circuit breaker of KMS is closed and both keys are in memory. */
  const heal = async () => {
    await fault('none');
    await until(async () => (await mintSession(fixture.service)).token !== '');
  };
  afterEach(heal);

  it('AUTH-18 AUTH-25: refresh and logout without a key in memory answer 500 and change nothing', async () => {
    const session = await mintSession(fixture.service);
    await fault('down');
    forgetKeys();
    expect(await reasonOf(fixture.refresh(session.refreshToken))).toBe('INTERNAL_ERROR');
    expect(await reasonOf(fixture.logout(session.refreshToken))).toBe('INTERNAL_ERROR');
    await heal();
    expect(await stateOf(session)).toEqual({ head: 1, ended: false });
    expect(await reasonOf(fixture.refresh(session.refreshToken))).toBe('none');
  });

  it('AUTH-18: a refresh that cannot sign an access token does not use the refresh token', async () => {
    const session = await mintSession(fixture.service);
    forgetKeys();
    const forged = forgeRefreshToken(
      session.refreshToken,
      (bytes) => void bytes.fill(0, refreshTokenFields.mac),
    );
    expect(await reasonOf(fixture.refresh(forged))).toBe('REFRESH_TOKEN_INVALID'); // Loads the key of refresh tokens.
    await fault('down');
    expect(await reasonOf(fixture.refresh(session.refreshToken))).toBe('INTERNAL_ERROR');
    expect(await stateOf(session)).toEqual({ head: 1, ended: false });
  });

  it('refresh and logout succeed with the keys in memory', async () => {
    const session = await mintSession(fixture.service);
    await fault('down');
    const { refresh_token: next } = await fixture.refresh(session.refreshToken);
    await fixture.logout(next);
    expect(await fixture.admits(session.sessionId)).toBe(false);
  });
});
