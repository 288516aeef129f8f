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
  startSessionPlatform,
  type SessionPlatform,
} from '../testing/sessions.js';

let platform: SessionPlatform;
let redis: TestServer;
let kms: TestServer;

beforeAll(async () => {
  [redis, kms] = await Promise.all([startRedis(), startKms()]);
  const settings = { REDIS_URL: redis.url, REDIS_ANSWER_MS: '1000', KMS_ENDPOINT: kms.url };
  platform = await startSessionPlatform(settings);
});
afterAll(async () => {
  await platform.harness.stop();
  await Promise.all([redis.stop(), kms.stop()]);
});

const stateOf = async ({ sessionId }: TestSession) =>
  (
    await platform.sql(`SELECT head, revoked_at IS NOT NULL AS ended FROM families WHERE id = $1`, [
      sessionId,
    ])
  )[0];

async function withoutRedis<T>(work: () => Promise<T>): Promise<T> {
  redis.pause();
  try {
    return await work();
  } finally {
    redis.resume();
    const ping = () => platform.service.context.get(RedisConnection).command(['PING']);
    await until(async () => (await ping()) === 'PONG');
  }
}

describe('Redis is away', () => {
  it('AUTH-26 OPEN-52: a logout stands but answers 500, and its repeat ends the access tokens', async () => {
    const session = await mintSession(platform.service);
    expect(await platform.admits(session.sessionId)).toBe(true);
    expect(await withoutRedis(() => reasonOf(platform.logout(session.refreshToken)))).toBe('INTERNAL_ERROR');
    expect(await stateOf(session)).toMatchObject({ ended: true });
    await platform.logout(session.refreshToken);
    expect(await platform.admits(session.sessionId)).toBe(false);
  });

  it('AUTH-23 OPEN-52: a replay ends the session but answers 500, and the repeat ends the access tokens', async () => {
    const session = await mintSession(platform.service);
    await platform.refresh(session.refreshToken);
    await platform.ageExchanges(session.sessionId, '30 seconds');
    expect(await platform.admits(session.sessionId)).toBe(true);
    const again = () => reasonOf(platform.refresh(session.refreshToken));
    expect(await withoutRedis(again)).toBe('INTERNAL_ERROR');
    expect(await stateOf(session)).toMatchObject({ ended: true });
    expect(await again()).toBe('REFRESH_TOKEN_INVALID');
    expect(await platform.admits(session.sessionId)).toBe(false);
  });

  it('a refresh does not need it', async () => {
    const session = await mintSession(platform.service);
    expect(await withoutRedis(() => reasonOf(platform.refresh(session.refreshToken)))).toBe('none');
  });
});

describe('KMS is down', () => {
  const fault = (mode: string) =>
    fetch(`${kms.url}/_fault`, { method: 'POST', body: JSON.stringify({ mode }) });
  const forgetKeys = () => platform.service.context.get(DataKeys).close();
  /** Until the circuit to KMS is closed again and both keys are in memory. */
  const heal = async () => {
    await fault('none');
    await until(async () => (await mintSession(platform.service)).token !== '');
  };
  afterEach(heal);

  it('AUTH-18 AUTH-25: with no key in memory, refresh and logout are 500 and change nothing', async () => {
    const session = await mintSession(platform.service);
    await fault('down');
    forgetKeys();
    expect(await reasonOf(platform.refresh(session.refreshToken))).toBe('INTERNAL_ERROR');
    expect(await reasonOf(platform.logout(session.refreshToken))).toBe('INTERNAL_ERROR');
    await heal();
    expect(await stateOf(session)).toEqual({ head: 1, ended: false });
    expect(await reasonOf(platform.refresh(session.refreshToken))).toBe('none');
  });

  it('AUTH-18: when no access token can be signed, the refresh token has not been used', async () => {
    const session = await mintSession(platform.service);
    forgetKeys();
    const forged = forgeRefreshToken(
      session.refreshToken,
      (bytes) => void bytes.fill(0, refreshTokenFields.mac),
    );
    expect(await reasonOf(platform.refresh(forged))).toBe('REFRESH_TOKEN_INVALID'); // loads the key of refresh tokens
    await fault('down');
    expect(await reasonOf(platform.refresh(session.refreshToken))).toBe('INTERNAL_ERROR');
    expect(await stateOf(session)).toEqual({ head: 1, ended: false });
  });

  it('with the keys in memory nobody notices', async () => {
    const session = await mintSession(platform.service);
    await fault('down');
    const { refresh_token: next } = await platform.refresh(session.refreshToken);
    await platform.logout(next);
    expect(await platform.admits(session.sessionId)).toBe(false);
  });
});
