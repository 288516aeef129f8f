import { randomBytes, randomInt } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { outboxEvents, reasonOf } from '@vaultsvc/testing/harness';
import { mapConcurrently } from '@vaultsvc/testing/waiting';
import { mintSession, type TestSession } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';
import { decodeJwt } from 'jose';
import { isCleanRefresh, runRefreshRaces, summaryOfRefresh } from '../../../../tools/races/refresh-races.js';
import { forgeRefreshToken, refreshTokenFields, useSessionFixture } from '../testing/session-fixture.js';

const fixture = useSessionFixture();
beforeAll(async () => {
  await fixture.harness.start(auth); // A second instance in the same queue group.
});

const deliveries = ['body', 'cookie'] as const;
const deliveryOf = (index: number) => deliveries[index % 2] as 'body' | 'cookie';
const countEach = (values: readonly string[]) =>
  [...new Set(values)].reduce<Record<string, number>>(
    (all, value) => ({ ...all, [value]: values.filter((one) => one === value).length }),
    {},
  );
const mintSessions = (number: number) =>
  mapConcurrently(Array.from({ length: number }), (_, index) =>
    mintSession(fixture.service, { delivery: deliveryOf(index) }),
  );
const countRevoked = async () =>
  (await fixture.sql(`SELECT count(*) AS n FROM families WHERE revoked_at IS NOT NULL`))[0]?.n as number;

describe('refreshes of one family at two instances', () => {
  it('AUTH-21 MISC-08: give each of a hundred callers with one token a valid token of its own', async () => {
    const session = await mintSession(fixture.service);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => fixture.refresh(session.refreshToken)),
    );
    expect(new Set(answers.map(({ refresh_token }) => refresh_token)).size).toBe(100);
    expect(new Set(answers.map(({ access_token }) => decodeJwt(access_token).sid))).toEqual(
      new Set([session.sessionId]),
    );
    await fixture.ageExchanges(session.sessionId, '-10 minutes'); // As if exchanged just now, on a machine of any speed.
    const again = await mapConcurrently(answers, ({ refresh_token }) =>
      reasonOf(fixture.refresh(refresh_token)),
    );
    expect(countEach(again)).toEqual({ none: 100 });
  });

  it('AUTH-21 AUTH-31: give a hundred tabs with one cookie the same next cookie', async () => {
    const session = await mintSession(fixture.service, { delivery: 'cookie' });
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => fixture.refresh(session.refreshToken, 'cookie')),
    );
    expect(new Set(answers.map(({ refresh_token }) => refresh_token)).size).toBe(1);
    const [row] = await fixture.sql(`SELECT head FROM families WHERE id = $1`, [session.sessionId]);
    expect(row).toEqual({ head: 2 });
  });

  it('AUTH-23 AUTH-24 MISC-08: end the family once for a hundred concurrent replays, and refuse all of them', async () => {
    const session = await mintSession(fixture.service);
    await fixture.refresh(session.refreshToken);
    await fixture.ageExchanges(session.sessionId, '30 seconds');
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, () => reasonOf(fixture.refresh(session.refreshToken))),
    );
    expect(countEach(outcomes)).toEqual({ TOKEN_REPLAY: 1, REFRESH_TOKEN_INVALID: 99 });
    const events = await outboxEvents(
      fixture.service,
      { session_id: session.sessionId },
      { name: 'auth.session-replayed' },
    );
    expect(events).toHaveLength(1);
  });
});

describe('two tabs with one cookie jar', () => {
  it('AUTH-21 AUTH-31: stay signed in for 200 rounds with answers in any order', async () => {
    const report = await runRefreshRaces(200);
    if (!isCleanRefresh(report)) throw new Error(summaryOfRefresh(report));
    expect(report).toMatchObject({ rounds: 200, refreshes: 600, lostAnswers: 160 });
  });
});

describe('refreshes in large numbers', () => {
  it('AUTH-23 AUTH-24: detect each of two hundred replays', async () => {
    const sessions = await mintSessions(200);
    await mapConcurrently(sessions, ({ refreshToken }, index) =>
      fixture.refresh(refreshToken, deliveryOf(index)),
    );
    await fixture.sql(`UPDATE superseded SET at = at - interval '30 seconds'`);
    const before = await countRevoked();
    const replays = await mapConcurrently(sessions, ({ refreshToken }, index) =>
      reasonOf(fixture.refresh(refreshToken, deliveryOf(index))),
    );
    expect(countEach(replays)).toEqual({ TOKEN_REPLAY: 200 });
    expect(await countRevoked()).toBe(before + 200);
  }, 300_000);

  it('AUTH-19 AUTH-20 OPEN-09: end no session for two thousand forged tokens', async () => {
    const sessions = await mintSessions(20);
    await mapConcurrently(sessions, ({ refreshToken }, index) =>
      fixture.refresh(refreshToken, deliveryOf(index)),
    );
    await fixture.sql(`UPDATE superseded SET at = at - interval '1 hour'`);
    const before = await countRevoked();
    const outcomes = await mapConcurrently(Array.from({ length: 2_000 }), (_, index) =>
      reasonOf(fixture.refresh(forgeRandomly(sessions), deliveryOf(index))),
    );
    expect(countEach(outcomes)).toEqual({ REFRESH_TOKEN_INVALID: 2_000 });
    expect(await countRevoked()).toBe(before);
  }, 300_000);
});

/** A token with random changes, made from one whose replay would end its session. */
function forgeRandomly(sessions: readonly TestSession[]): string {
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
  return forged === refreshToken ? forgeRandomly(sessions) : forged;
}
