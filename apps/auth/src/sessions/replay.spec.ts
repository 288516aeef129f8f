import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { outboxEvents, reasonOf } from '@vaultsvc/testing/harness';
import { mintSession, type SessionOptions, type TestSession } from '@vaultsvc/tools-testing/accounts';
import {
  forgeRefreshToken,
  refreshTokenFields,
  startSessionFixture,
  useSessionFixture,
} from '../testing/session-fixture.js';
import { RefreshTokens } from './refresh-tokens.js';
import { SessionRepository } from './session.repository.js';

const fixture = useSessionFixture();

const mint = (options?: SessionOptions) => mintSession(fixture.service, options);
const refreshReason = (token: string, delivery?: 'cookie' | 'body') =>
  reasonOf(fixture.refresh(token, delivery));
const family = async (sessionId: string) =>
  (
    await fixture.sql(`SELECT head, revoked_at IS NOT NULL AS ended FROM families WHERE id = $1`, [sessionId])
  )[0];
const eventsOf = async (sessionId: string) => {
  const columns = ['name', 'account_id', 'payload'] as const;
  const events = await outboxEvents(fixture.service, { session_id: sessionId }, { columns });
  return events.filter(({ name }) => name !== 'auth.session-opened');
};
/** A genuine token of any generation, which only auth can mint. */
async function mintGeneration(sessionId: string, generation: number): Promise<string> {
  const found = await fixture.service.context.get(SessionRepository).find(sessionId);
  if (!found) throw new Error('no such session');
  return fixture.service.context.get(RefreshTokens).mint(found, generation);
}

/** A session whose first token was used before the retry window. */
async function replayable(options: SessionOptions = {}) {
  const session = await mint(options);
  const { refresh_token: newest } = await fixture.refresh(session.refreshToken, options.delivery);
  await fixture.ageExchanges(session.sessionId, '30 seconds');
  return { session, newest: newest as string };
}

describe('a replayed refresh token', () => {
  it.each(['body', 'cookie'] as const)(
    'AUTH-23 AUTH-24 OPEN-09: ends the session with all its tokens (%s)',
    async (delivery) => {
      const { session, newest } = await replayable({ delivery });
      expect(await fixture.admits(session.sessionId)).toBe(true);
      expect(await refreshReason(session.refreshToken, delivery)).toBe('TOKEN_REPLAY');
      expect(await fixture.admits(session.sessionId)).toBe(false);
      expect(await refreshReason(newest, delivery)).toBe('REFRESH_TOKEN_INVALID');
      expect(await refreshReason(session.refreshToken, delivery)).toBe('REFRESH_TOKEN_INVALID');
    },
  );

  it('AUTH-23: is recorded once, with client address and user agent', async () => {
    const { session } = await replayable();
    await refreshReason(session.refreshToken);
    await refreshReason(session.refreshToken);
    expect(await eventsOf(session.sessionId)).toEqual([
      {
        name: 'auth.session-replayed',
        account_id: session.accountId,
        payload: {
          account_id: session.accountId,
          user_id: session.subject,
          session_id: session.sessionId,
          client_ip: '192.0.2.7',
          user_agent: 'Tests/1.0',
        },
      },
    ]);
  });

  it('AUTH-24: ends an identity-only session too, without an event', async () => {
    const { session, newest } = await replayable({ sessionType: 'identity_only' });
    expect(await fixture.admits(session.sessionId)).toBe(true);
    expect(await refreshReason(session.refreshToken)).toBe('TOKEN_REPLAY');
    expect(await fixture.admits(session.sessionId)).toBe(false);
    expect(await refreshReason(newest)).toBe('REFRESH_TOKEN_INVALID');
    expect(await eventsOf(session.sessionId)).toEqual([]);
  });

  it("AUTH-24: leaves the user's other sessions open", async () => {
    const { session } = await replayable();
    const other = await mint();
    await refreshReason(session.refreshToken);
    expect(await refreshReason(other.refreshToken)).toBe('none');
  });

  it('AUTH-23: is detected after a hundred rotations too', async () => {
    const session = await mint();
    let token = session.refreshToken;
    for (let i = 0; i < 100; i++) token = (await fixture.refresh(token)).refresh_token as string;
    await fixture.ageExchanges(session.sessionId, '1 minute');
    expect(await refreshReason(session.refreshToken)).toBe('TOKEN_REPLAY');
  });

  it('ends the session if its generation was never issued, as after restoring an old backup', async () => {
    const session = await mint();
    expect(await refreshReason(await mintGeneration(session.sessionId, 7))).toBe('TOKEN_REPLAY');
    expect(await family(session.sessionId)).toEqual({ head: 1, ended: true });
  });

  it.each([0, 2 ** 31, 2 ** 32 - 1])(
    'is answered with TOKEN_REPLAY for the genuine generation %p',
    async (generation) => {
      const session = await mint();
      expect(await refreshReason(await mintGeneration(session.sessionId, generation))).toBe('TOKEN_REPLAY');
    },
  );
});

describe('OPEN-09: a forged refresh token', () => {
  const { format, family: id, generation, mac, end } = refreshTokenFields;
  const write = (value: number) => (bytes: Buffer) => void bytes.writeUInt32BE(value, generation);
  let victim: TestSession;
  let other: TestSession;
  let browser: TestSession;

  beforeAll(async () => {
    [victim, other, browser] = await Promise.all([mint(), mint(), mint({ delivery: 'cookie' })]);
    await fixture.refresh(victim.refreshToken);
    await fixture.ageExchanges(victim.sessionId, '1 hour');
  });

  const bytesOf = (session: TestSession) => Buffer.from(session.refreshToken.slice(4), 'base64url');
  const forgeries: Record<string, () => string> = {
    'another format': () => forgeRefreshToken(victim.refreshToken, (b) => void (b[format] = 2)),
    'another family under its MAC': () =>
      forgeRefreshToken(other.refreshToken, (b) => void bytesOf(victim).copy(b, id, id, generation)),
    'an unknown family': () =>
      forgeRefreshToken(victim.refreshToken, (b) => void randomBytes(16).copy(b, id)),
    'a MAC of another delivery': () =>
      forgeRefreshToken(browser.refreshToken, (b) => void bytesOf(victim).copy(b, id, id, generation)),
    'generation 0': () => forgeRefreshToken(victim.refreshToken, write(0)),
    'the next generation': () => forgeRefreshToken(victim.refreshToken, write(3)),
    'generation 2^31': () => forgeRefreshToken(victim.refreshToken, write(2 ** 31)),
    'generation 2^32 - 1': () => forgeRefreshToken(victim.refreshToken, write(2 ** 32 - 1)),
    'a zeroed MAC': () => forgeRefreshToken(victim.refreshToken, (b) => void b.fill(0, mac)),
    'one byte less': () =>
      `vkr_${bytesOf(victim)
        .subarray(0, end - 1)
        .toString('base64url')}`,
    'one byte more': () => `vkr_${Buffer.concat([bytesOf(victim), Buffer.alloc(1)]).toString('base64url')}`,
    'another prefix': () => victim.refreshToken.replace('vkr_', 'vkR_'),
    'no prefix': () => victim.refreshToken.slice(4),
    'base64 padding': () => `${victim.refreshToken}=`,
    'standard base64 instead of base64url': () => `vkr_${bytesOf(victim).fill(0xfb, mac).toString('base64')}`,
    'a line break': () => `${victim.refreshToken}\n`,
    'an access token': () => victim.token,
    'the session id': () => victim.sessionId,
    'an empty token': () => '',
    'the prefix alone': () => 'vkr_',
    SQL: () => "vkr_' OR 1=1 --",
    'a zero byte': () => 'vkr_\u0000',
  };

  it.each(Object.keys(forgeries))('ends no session: %s', async (forgery) => {
    const token = (forgeries[forgery] as () => string)();
    expect(await refreshReason(token)).toBe('REFRESH_TOKEN_INVALID');
    expect(await refreshReason(token, 'cookie')).toBe('REFRESH_TOKEN_INVALID');
    expect(await reasonOf(fixture.logout(token))).toBe('none');
    expect(await family(victim.sessionId)).toEqual({ head: 2, ended: false });
    expect(await family(other.sessionId)).toEqual({ head: 1, ended: false });
  });

  it('ends no session with any one of its 424 bits flipped', async () => {
    for (let bit = 0; bit < end * 8; bit++) {
      const token = forgeRefreshToken(victim.refreshToken, (bytes) => {
        bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      });
      expect(await refreshReason(token)).toBe('REFRESH_TOKEN_INVALID');
    }
    expect(await family(victim.sessionId)).toEqual({ head: 2, ended: false });
  });

  it('ends no session if another deployment minted it, even for a family with the same id and secret', async () => {
    const otherDeployment = await startSessionFixture();
    try {
      const foreign = await mintSession(otherDeployment.service);
      expect(await refreshReason(foreign.refreshToken)).toBe('REFRESH_TOKEN_INVALID');
      const [row] = await fixture.sql(`SELECT id, secret FROM families WHERE id = $1`, [victim.sessionId]);
      await otherDeployment.sql(`UPDATE families SET id = $1, secret = $2 WHERE id = $3`, [
        row?.id,
        row?.secret,
        foreign.sessionId,
      ]);
      const twin = await otherDeployment.service.context.get(SessionRepository).find(victim.sessionId);
      if (!twin) throw new Error('the twin is missing');
      const token = await otherDeployment.service.context.get(RefreshTokens).mint(twin, 1);
      expect(await reasonOf(otherDeployment.refresh(token))).toBe('none');
      expect(await refreshReason(token)).toBe('REFRESH_TOKEN_INVALID');
    } finally {
      await otherDeployment.harness.stop();
    }
    expect(await family(victim.sessionId)).toEqual({ head: 2, ended: false });
  });

  it('is derived from a genuine token, whose replay is detected', async () => {
    expect(await refreshReason(victim.refreshToken)).toBe('TOKEN_REPLAY');
  });
});
