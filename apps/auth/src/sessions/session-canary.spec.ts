import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mintViewerToken, resolveCredential } from '@vaultsvc/contracts/auth';
import { deadlineIn, internalContext, reasonOf } from '@vaultsvc/testing/harness';
import { found, heldOnDisk, startRedis, type TestServer } from '@vaultsvc/testing/servers';
import { mintApiKey, mintSession, type TestSession } from '@vaultsvc/tools-testing/accounts';
import pg from 'pg';
import { createClient } from '@redis/client';
import { buildService, startInstance } from '../../../../tools/races/service-instances.ts';
import {
  forgeRefreshToken,
  refreshTokenFields,
  startSessionFixture,
  type SessionFixture,
} from '../testing/session-fixture.js';

/**
 * An instance that logs at trace level runs every operation of a session; then logs and stores are searched for tokens and
 * secrets.
 */
let fixture: SessionFixture;
let redis: TestServer;
let instance: Awaited<ReturnType<typeof startInstance>>;
let database: pg.Client;
const tokens = new Set<string>();
const secrets: Buffer[] = [];

beforeAll(async () => {
  redis = await startRedis();
  const redisSettings = { REDIS_URL: redis.url, REDIS_ANSWER_MS: '30000' };
  fixture = await startSessionFixture(redisSettings);
  const sessions = [
    await mintSession(fixture.service),
    await mintSession(fixture.service, { delivery: 'cookie' }),
    await mintSession(fixture.service, { sessionType: 'identity_only' }),
  ];
  const { context } = await mintApiKey(fixture.service);
  const environment = await fixture.harness.environment('auth', {
    LOG_LEVEL: 'trace',
    ...redisSettings,
  });
  instance = await startInstance(await buildService('auth'), environment);
  await fixture.service.stop(); // From here on only the built instance answers.
  database = new pg.Client({ connectionString: (await fixture.harness.schema('auth')).adminUrl });
  await database.connect();
  const { rows } = await database.query<{ secret: Buffer }>(`SELECT secret FROM families`);
  secrets.push(...rows.map(({ secret }) => secret));
  const viewer = { ...context, deadlineMs: deadlineIn(60) };
  tokens.add((await fixture.harness.bus.call(mintViewerToken, {}, viewer)).viewer_token);
  for (const [index, session] of sessions.entries())
    await exerciseSession(session, index === 1 ? 'cookie' : 'body');
});
afterAll(async () => {
  await database.end();
  await instance.kill();
  await fixture.harness.stop();
  await redis.stop();
});

/** Refreshes, resolves, forges, provokes a PostgreSQL error with the whole row in it, replays and logs out. */
async function exerciseSession(session: TestSession, delivery: 'body' | 'cookie'): Promise<void> {
  const { refreshToken, sessionId } = session;
  tokens.add(refreshToken).add(session.token);
  const answer = await fixture.refresh(refreshToken, delivery);
  tokens.add(answer.refresh_token as string).add(answer.access_token);
  const body = { kind: 'session', key: sessionId } as const;
  await fixture.harness.bus.call(resolveCredential, { body }, internalContext());
  const forged = forgeRefreshToken(refreshToken, (bytes) => void bytes.writeUInt8(9, refreshTokenFields.mac));
  const other = delivery === 'body' ? 'cookie' : 'body';
  await reasonOf(fixture.refresh(forged, delivery));
  await reasonOf(fixture.refresh(answer.refresh_token, other));
  await database.query(`ALTER TABLE families ADD CONSTRAINT refused CHECK (head < 3) NOT VALID`);
  expect(await reasonOf(fixture.refresh(answer.refresh_token, delivery))).toBe('INTERNAL_ERROR');
  await database.query(`ALTER TABLE families DROP CONSTRAINT refused`);
  await database.query(`UPDATE superseded SET at = at - interval '1 hour'`);
  expect(await reasonOf(fixture.refresh(refreshToken, delivery))).toBe('TOKEN_REPLAY');
  await fixture.logout(answer.refresh_token, delivery);
}

/** A secret as itself, in hex, and in both alphabets of base64. */
function formsOf(secret: Buffer): string[] {
  return [
    secret.toString('latin1'),
    secret.toString('hex'),
    secret.toString('base64').replace(/=+$/, ''),
    secret.toString('base64url'),
  ];
}
/** The MAC is the secret part of a token: with the MAC, the token can be made again. */
const macOf = (token: string) =>
  Buffer.from(token.slice('vkr_'.length), 'base64url').subarray(refreshTokenFields.mac);
const tokenForms = () =>
  [...tokens].flatMap((token) =>
    token.startsWith('vkr_') ? [token, ...formsOf(macOf(token))] : [token, token.split('.')[2] as string],
  );
async function redisText(): Promise<string> {
  const client = await createClient({ url: redis.url }).connect();
  try {
    const values: string[] = [];
    for await (const keys of client.scanIterator())
      for (const key of keys)
        if ((await client.type(key)) === 'string') values.push(key, (await client.get(key)) ?? '');
        else values.push(key, JSON.stringify(await client.hGetAll(key)));
    return values.join('\n');
  } finally {
    client.destroy();
  }
}

describe('MISC-03 OPEN-09: tokens and secrets of sessions', () => {
  it('are absent from the trace log, which reports the failure and the replay', () => {
    const log = readFileSync(instance.plan.logPath, 'latin1');
    expect(log).toContain('operation failed');
    expect(log).toContain('refresh token replayed');
    expect(found(log, [...tokenForms(), ...secrets.flatMap(formsOf)])).toEqual([]);
  });

  it('are absent from Redis, which contains the session records', async () => {
    const text = await redisText();
    expect(text).toContain('cred:s:');
    expect(found(text, [...tokenForms(), ...secrets.flatMap(formsOf)])).toEqual([]);
  });

  it('are absent from the events, which name the sessions', async () => {
    const { rows } = await database.query(`SELECT * FROM recorded_events`);
    const text = JSON.stringify(rows);
    expect(text).toContain('auth.session-replayed');
    expect(found(text, [...tokenForms(), ...secrets.flatMap(formsOf)])).toEqual([]);
  });

  it('leave no token on any disk of the run, including tables and log of PostgreSQL', async () => {
    await database.query(`CREATE TABLE planted AS SELECT 'planted-canary' AS text`);
    const forms = ['planted-canary', ...tokenForms()];
    expect(await heldOnDisk(forms)).toEqual(['planted-canary']);
  });
});
