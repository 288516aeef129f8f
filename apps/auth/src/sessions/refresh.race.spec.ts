import { randomBytes, randomInt } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { outboxEvents, reasonOf } from '@vaultsvc/testing/harness';
import { mintSession, type TestSession } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';
import { decodeJwt } from 'jose';
import { isCleanRefresh, runRefreshRaces, summaryOfRefresh } from '../../../../tools/races/refresh-races.js';
import { forgeRefreshToken, refreshTokenFields, useSessionPlatform } from '../testing/sessions.js';

const platform = useSessionPlatform();
beforeAll(async () => {
  await platform.harness.start(auth); // a second copy, in the same queue group
});

const deliveries = ['body', 'cookie'] as const;
const deliveryOf = (index: number) => deliveries[index % 2] as 'body' | 'cookie';
const count = (values: readonly string[]) =>
  [...new Set(values)].reduce<Record<string, number>>(
    (all, value) => ({ ...all, [value]: values.filter((one) => one === value).length }),
    {},
  );
/** Some at a time, so that calls do not wait for the database longer than their deadline. */
async function each<T, R>(items: readonly T[], work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i] as T, i);
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  return results;
}
const mintMany = (number: number) =>
  each(Array.from({ length: number }), (_, index) =>
    mintSession(platform.service, { delivery: deliveryOf(index) }),
  );
const revoked = async () =>
  (await platform.sql(`SELECT count(*) AS n FROM families WHERE revoked_at IS NOT NULL`))[0]?.n as number;

describe('two copies, one family', () => {
  it('AUTH-21: a hundred callers with one token all succeed, each with a token of its own', async () => {
    const session = await mintSession(platform.service);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => platform.refresh(session.refreshToken)),
    );
    expect(new Set(answers.map(({ refresh_token }) => refresh_token)).size).toBe(100);
    expect(new Set(answers.map(({ access_token }) => decodeJwt(access_token).sid))).toEqual(
      new Set([session.sessionId]),
    );
    await platform.ageExchanges(session.sessionId, '-10 minutes'); // as if they had come just now, on any machine
    const again = await each(answers, ({ refresh_token }) => reasonOf(platform.refresh(refresh_token)));
    expect(count(again)).toEqual({ none: 100 });
  });

  it('AUTH-21 AUTH-31: a hundred tabs with one cookie all succeed, with one and the same cookie', async () => {
    const session = await mintSession(platform.service, { delivery: 'cookie' });
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => platform.refresh(session.refreshToken, 'cookie')),
    );
    expect(new Set(answers.map(({ refresh_token }) => refresh_token)).size).toBe(1);
    const [row] = await platform.sql(`SELECT head FROM families WHERE id = $1`, [session.sessionId]);
    expect(row).toEqual({ head: 2 });
  });

  it('AUTH-23 AUTH-24: of a hundred replays at once one ends the family, and none succeeds', async () => {
    const session = await mintSession(platform.service);
    await platform.refresh(session.refreshToken);
    await platform.ageExchanges(session.sessionId, '30 seconds');
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, () => reasonOf(platform.refresh(session.refreshToken))),
    );
    expect(count(outcomes)).toEqual({ TOKEN_REPLAY: 1, REFRESH_TOKEN_INVALID: 99 });
    const events = await outboxEvents(
      platform.service,
      { session_id: session.sessionId },
      { name: 'auth.session-replayed' },
    );
    expect(events).toHaveLength(1);
  });
});

describe('two tabs with one cookie jar', () => {
  it('AUTH-21 AUTH-31: 200 rounds in every order of arrival, nobody is signed out', async () => {
    const report = await runRefreshRaces(200);
    if (!isCleanRefresh(report)) throw new Error(summaryOfRefresh(report));
    expect(report).toMatchObject({ rounds: 200, refreshes: 600, lostAnswers: 160 });
  });
});

describe('in numbers', () => {
  it('AUTH-23 AUTH-24: two hundred replays, all found out', async () => {
    const sessions = await mintMany(200);
    await each(sessions, ({ refreshToken }, index) => platform.refresh(refreshToken, deliveryOf(index)));
    await platform.sql(`UPDATE superseded SET at = at - interval '30 seconds'`);
    const before = await revoked();
    const replays = await each(sessions, ({ refreshToken }, index) =>
      reasonOf(platform.refresh(refreshToken, deliveryOf(index))),
    );
    expect(count(replays)).toEqual({ TOKEN_REPLAY: 200 });
    expect(await revoked()).toBe(before + 200);
  }, 300_000);

  it('AUTH-19 AUTH-20 OPEN-09: two thousand forged tokens, nothing ended', async () => {
    const sessions = await mintMany(20);
    await each(sessions, ({ refreshToken }, index) => platform.refresh(refreshToken, deliveryOf(index)));
    await platform.sql(`UPDATE superseded SET at = at - interval '1 hour'`);
    const before = await revoked();
    const outcomes = await each(Array.from({ length: 2_000 }), (_, index) =>
      reasonOf(platform.refresh(forge(sessions), deliveryOf(index))),
    );
    expect(count(outcomes)).toEqual({ REFRESH_TOKEN_INVALID: 2_000 });
    expect(await revoked()).toBe(before);
  }, 300_000);
});

/** Bytes changed at random in a token whose replay would end its session. */
function forge(sessions: readonly TestSession[]): string {
  const { refreshToken } = sessions[randomInt(sessions.length)] as TestSession;
  const { family, generation, mac, end } = refreshTokenFields;
  const other = sessions[randomInt(sessions.length)] as TestSession;
  const changes: ((bytes: Buffer) => void)[] = [
    (bytes) => void (bytes[randomInt(end)] = (bytes[0] as number) + randomInt(2, 250)),
    (bytes) => void bytes.writeUInt32BE(randomInt(2, 2 ** 32 - 1), generation),
    (bytes) => void Buffer.from(other.sessionId.replaceAll('-', ''), 'hex').copy(bytes, family),
    (bytes) => void randomBytes(end - mac).copy(bytes, mac),
  ];
  const forged = forgeRefreshToken(refreshToken, changes[randomInt(changes.length)] as (b: Buffer) => void);
  return forged === refreshToken ? forge(sessions) : forged;
}
