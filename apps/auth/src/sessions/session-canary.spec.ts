import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceContext } from '@vaultsvc/contracts';
import { mintViewerToken, resolveCredential } from '@vaultsvc/contracts/auth';
import { deadlineIn, reasonOf } from '@vaultsvc/testing/harness';
import { found, heldOnDisk, startRedis, type TestServer } from '@vaultsvc/testing/servers';
import { mintApiKey, mintSession, type TestSession } from '@vaultsvc/tools-testing/accounts';
import pg from 'pg';
import { createClient } from 'redis';
import { buildService, startInstance } from '../../../../tools/races/service-instances.mjs';
import {
  forgeRefreshToken,
  refreshTokenFields,
  startSessionPlatform,
  type SessionPlatform,
} from '../testing/sessions.js';

/** A copy of auth that logs all it can does everything that there is to do with a session; then we look for traces. */
let platform: SessionPlatform;
let redis: TestServer;
let copy: Awaited<ReturnType<typeof startInstance>>;
let database: pg.Client;
const tokens = new Set<string>();
const secrets: Buffer[] = [];

beforeAll(async () => {
  redis = await startRedis();
  const patient = { REDIS_URL: redis.url, REDIS_ANSWER_MS: '2500' };
  platform = await startSessionPlatform(patient);
  const sessions = [
    await mintSession(platform.service),
    await mintSession(platform.service, { delivery: 'cookie' }),
    await mintSession(platform.service, { sessionType: 'identity_only' }),
  ];
  const { context } = await mintApiKey(platform.service);
  const environment = await platform.harness.environment('auth', {
    LOG_LEVEL: 'trace',
    ...patient,
  });
  copy = await startInstance(await buildService('auth'), environment);
  await platform.service.stop(); // from here on the copy answers
  database = new pg.Client({ connectionString: (await platform.harness.schema('auth')).databaseUrl });
  await database.connect();
  const { rows } = await database.query<{ secret: Buffer }>(`SELECT secret FROM families`);
  secrets.push(...rows.map(({ secret }) => secret));
  const viewer = { ...context, deadlineMs: deadlineIn(20) };
  tokens.add((await platform.harness.bus.call(mintViewerToken, {}, viewer)).viewer_token);
  for (const [index, session] of sessions.entries()) await live(session, index === 1 ? 'cookie' : 'body');
});
afterAll(async () => {
  await database.end();
  await copy.kill();
  await platform.harness.stop();
  await redis.stop();
});

/** Refreshed, looked up, forged, refused by PostgreSQL with the whole row in its error, replayed and logged out. */
async function live(session: TestSession, delivery: 'body' | 'cookie'): Promise<void> {
  const { refreshToken, sessionId } = session;
  tokens.add(refreshToken).add(session.token);
  const answer = await platform.refresh(refreshToken, delivery);
  tokens.add(answer.refresh_token as string).add(answer.access_token);
  const body = { kind: 'session', key: sessionId } as const;
  await platform.harness.bus.call(resolveCredential, { body }, serviceContext('test', deadlineIn(20)));
  const forged = forgeRefreshToken(refreshToken, (bytes) => void bytes.writeUInt8(9, refreshTokenFields.mac));
  const other = delivery === 'body' ? 'cookie' : 'body';
  await reasonOf(platform.refresh(forged, delivery));
  await reasonOf(platform.refresh(answer.refresh_token, other));
  await database.query(`ALTER TABLE families ADD CONSTRAINT refused CHECK (head < 3) NOT VALID`);
  expect(await reasonOf(platform.refresh(answer.refresh_token, delivery))).toBe('INTERNAL_ERROR');
  await database.query(`ALTER TABLE families DROP CONSTRAINT refused`);
  await database.query(`UPDATE superseded SET at = at - interval '1 hour'`);
  expect(await reasonOf(platform.refresh(refreshToken, delivery))).toBe('TOKEN_REPLAY');
  await platform.logout(answer.refresh_token, delivery);
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
/** The MAC is what makes a token: where it is, the token can be made again. */
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

describe('MISC-03 OPEN-09: what a session leaves behind tells nobody how to go on with it', () => {
  it('the log of a copy that logs everything tells of the failure and the replay, and holds no token and no secret', () => {
    const log = readFileSync(copy.plan.logPath, 'latin1');
    expect(log).toContain('operation failed');
    expect(log).toContain('refresh token replayed');
    expect(found(log, [...tokenForms(), ...secrets.flatMap(formsOf)])).toEqual([]);
  });

  it('Redis knows the sessions, and holds no token and no secret', async () => {
    const text = await redisText();
    expect(text).toContain('cred:s:');
    expect(found(text, [...tokenForms(), ...secrets.flatMap(formsOf)])).toEqual([]);
  });

  it('events name the sessions, and hold no token and no secret', async () => {
    const { rows } = await database.query(`SELECT * FROM outbox`);
    const text = JSON.stringify(rows);
    expect(text).toContain('auth.session-replayed');
    expect(found(text, [...tokenForms(), ...secrets.flatMap(formsOf)])).toEqual([]);
  });

  it('no token is on any disk of the run, the tables and the log of PostgreSQL included', async () => {
    await database.query(`CREATE TABLE planted AS SELECT 'planted-canary' AS text`);
    const forms = ['planted-canary', ...tokenForms()];
    expect(heldOnDisk(forms)).toEqual(['planted-canary']);
  });
});
