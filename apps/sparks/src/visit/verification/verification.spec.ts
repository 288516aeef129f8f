import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { AppError, type AccountCredential } from '@vaultsvc/contracts';
import type { SparkSharing } from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { mintBearer } from '@vaultsvc/crypto/tokens';
import { Database } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';
import { accountContext, lockWaiters, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { timed, until } from '@vaultsvc/testing/waiting';
import { newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import { linksOf } from '../../testing/links.js';
import { usePlatform } from '../../testing/platform.js';
import { sentCodes } from '../../testing/sent-codes.js';
import { visitsTo, type Visits } from '../../testing/visits.js';
import { PurgeVerifications } from './purge-verifications.job.js';
import { VerificationRepository } from './verification.repository.js';

const caller = accountContext();
const ANN = 'Ann@Example.test';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
let links: ReturnType<typeof linksOf>;
let visits: Visits;
let authService: RunningService;

beforeAll(async () => {
  await stopSchedule(platform.service);
  authService = await platform.harness.start(auth, { LOG_LEVEL: 'silent' });
  links = linksOf(platform);
  visits = visitsTo(platform.harness);
});

async function shared(terms: Partial<SparkSharing>) {
  const { spark_id } = await platform.create({ payload: 'for Ann' }, caller);
  const { link_code } = await links.share(spark_id, terms, caller);
  return { spark_id, link_code };
}
const forAnn = () => shared({ visibility: 'invite_only', invites: [ANN] });
const forAnybody = () => shared({ visibility: 'authenticated' });

/** A session of a new account, and the e-mail address of its user. */
async function signIn(as?: string) {
  const { accountId, userId, email } = await newAccount(authService, { email: as });
  const context = accountContext({ kind: 'session', accountId, userId, credentialId: 'session' });
  return { email, credential: context.credential };
}

/** Starts a verification, which must expire in ten minutes. */
async function started(linkCode: string, identity: string) {
  const { result, from, to } = await timed(() => visits.start(linkCode, identity));
  expect(result.expires_at).toBeGreaterThanOrEqual(from + 600);
  expect(result.expires_at).toBeLessThanOrEqual(to + 600);
  return result;
}

async function codeFor(sparkId: string, linkCode: string, identity: string): Promise<string> {
  await visits.start(linkCode, identity);
  return (await sentCodes(platform, sparkId)).at(-1)?.code as string;
}

async function tokenFor(sparkId: string, linkCode: string, identity: string): Promise<string> {
  const code = await codeFor(sparkId, linkCode, identity);
  return (await visits.confirm(linkCode, identity, code)).verification_token;
}

const wrong = (code: string) => (code === '000000' ? '000001' : '000000');
const isActive = async (sparkId: string) =>
  (
    await platform.sql(
      `SELECT 1 FROM sparks s JOIN sparklinks l ON l.asset_id = s.id
        WHERE s.id = $1 AND s.status = 'active' AND l.status = 'active'`,
      [sparkId],
    )
  ).length === 1;
const verificationsOf = (sparkId: string) =>
  platform.sql<{ tries_left: number; has_code: boolean }>(
    `SELECT v.tries_left, v.code_mac IS NOT NULL AS has_code FROM verifications v
       JOIN sparklinks l ON l.id = v.link_id WHERE l.asset_id = $1 ORDER BY v.created_at`,
    [sparkId],
  );
const age = (table: string, columns: string, sparkId: string, interval: string) =>
  platform.sql(
    `UPDATE ${table} SET ${columns
      .split(' ')
      .map((column) => `${column} = ${column} - $2::interval`)
      .join(', ')}
      WHERE ${table === 'sparklinks' ? 'asset_id = $1' : 'link_id = (SELECT id FROM sparklinks WHERE asset_id = $1)'}`,
    [sparkId, interval],
  );
const ageBudgets = (sparkId: string, interval: string) =>
  age('code_budgets', 'hour_since day_since wrong_since closed_until expires_at', sparkId, interval);
/** Another spelling of the same address for each number. */
const spelled = (identity: string, number: number) =>
  identity.replace(/^./, (letter) => (number % 2 ? letter.toUpperCase() : letter.toLowerCase()));
/** The details of LINK_CODES_EXHAUSTED, with the time until the reset, rounded to five minutes: the test takes some. */
const exhausted = async (answer: Promise<unknown>) => {
  const { reason, details } = (await answer.catch((error: unknown) => error)) as AppError;
  const { resets_at, ...counts } = details as { resets_at: number };
  return { reason, ...counts, minutes: Math.round((resets_at - Date.now() / 1_000) / 300) * 5 };
};
const errorOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'none',
    (error: AppError) => ({ reason: error.reason, details: error.details }),
  );

describe('LNK-18 OPEN-25: opening a link that requires verification', () => {
  it('succeeds for an invitee with the code sent to them, and stores the identity', async () => {
    const { spark_id, link_code } = await forAnn();
    expect(await errorOf(visits.open(link_code))).toEqual({
      reason: 'LINK_VERIFICATION_REQUIRED',
      details: { verification: { methods: ['email'] } },
    });
    const verification_token = await tokenFor(spark_id, link_code, ANN);
    expect(await visits.open(link_code, { describe: true, verification_token })).toMatchObject({
      type: 'content',
    });
    expect(await isActive(spark_id)).toBe(true);
    expect(await visits.open(link_code, { verification_token })).toMatchObject({ payload: 'for Ann' });
    expect(await links.read(link_code, caller)).toMatchObject({
      status: 'consumed',
      verified_by: ANN,
      verified_at: expect.any(Number),
    });
  });

  it('LNK-17 LNK-22: publishes the verified identity for the audit trail', async () => {
    const { spark_id, link_code } = await forAnn();
    const verification_token = await tokenFor(spark_id, link_code, 'ann@EXAMPLE.test');
    await visits.open(link_code, { verification_token });
    const publishedEvents = (await links.publishedEvents(spark_id)).find(
      ({ name }) => name === 'sparks.sparklink-accessed',
    );
    expect(publishedEvents?.payload).toMatchObject({
      visibility: 'invite_only',
      verified_by: 'ann@EXAMPLE.test',
    });
  });

  it.each([
    ['x@bücher.test', 'x@xn--bcher-kva.test'],
    ['x@xn--bcher-kva.test', 'x@bücher.test'],
    ['X@bücher.test', 'x@BÜCHER.test.'],
  ])('OPEN-25 OPEN-59: succeeds for the invited %s who proves to be %s', async (invited, proved) => {
    const { spark_id, link_code } = await shared({ visibility: 'invite_only', invites: [invited] });
    const verification_token = await tokenFor(spark_id, link_code, proved);
    expect(await sentCodes(platform, spark_id)).toMatchObject([{ identity: invited }]);
    expect(await visits.open(link_code, { verification_token })).toMatchObject({ payload: 'for Ann' });
  });

  it.each([
    ['bücher', 'xn--bcher-kva'],
    ['xn--bcher-kva', 'bücher'],
  ])(
    'OPEN-25 OPEN-59: succeeds for the invited …@%s.test with a session of …@%s.test',
    async (one, other) => {
      const name = newId('ann_');
      const { credential } = await signIn(`${name}@${other}.test`);
      const { link_code } = await shared({ visibility: 'invite_only', invites: [`${name}@${one}.test`] });
      expect(await visits.open(link_code, {}, { credential })).toMatchObject({ payload: 'for Ann' });
    },
  );

  it('sends the code to an invited phone number by SMS', async () => {
    const { spark_id, link_code } = await shared({ visibility: 'invite_only', invites: ['+4915112345678'] });
    expect(await errorOf(visits.open(link_code))).toMatchObject({
      details: { verification: { methods: ['sms'] } },
    });
    const verification_token = await tokenFor(spark_id, link_code, '+4915112345678');
    expect(await visits.open(link_code, { verification_token })).toMatchObject({ type: 'content' });
  });

  it.each(['bob@example.test', '+4915199999999'])(
    'accepts %s for the visibility authenticated',
    async (identity) => {
      const { spark_id, link_code } = await forAnybody();
      expect(await errorOf(visits.open(link_code))).toMatchObject({
        details: { verification: { methods: ['email', 'sms'] } },
      });
      const verification_token = await tokenFor(spark_id, link_code, identity);
      expect(await visits.open(link_code, { verification_token })).toMatchObject({ type: 'content' });
    },
  );

  it('succeeds with a full session of any account', async () => {
    const { credential, email } = await signIn();
    const { link_code } = await forAnybody();
    expect(await visits.open(link_code, {}, { credential })).toMatchObject({ payload: 'for Ann' });
    expect(await links.read(link_code, caller)).toMatchObject({ verified_by: email });
  });

  it('succeeds with the session of an invitee, and of no other user', async () => {
    const [ann, bob] = [await signIn(), await signIn()];
    const { spark_id, link_code } = await shared({
      visibility: 'invite_only',
      invites: [ann.email.toUpperCase()],
    });
    for (const body of [{}, { describe: true }])
      expect(await reasonOf(visits.open(link_code, body, bob))).toBe('LINK_VERIFICATION_REQUIRED');
    expect(await isActive(spark_id)).toBe(true);
    expect(await visits.open(link_code, {}, ann)).toMatchObject({ type: 'content' });
    expect(await links.read(link_code, caller)).toMatchObject({ verified_by: ann.email });
  });

  it.each<[string, Partial<AccountCredential>]>([
    ['an API key', {}],
    ['the API key of its owner', caller.credential],
    ['a session of an unknown user', { kind: 'session', userId: `usr_${'0'.repeat(22)}` }],
  ])('fails with %s', async (_, credential) => {
    const { spark_id, link_code } = await forAnybody();
    const visit = { credential: accountContext(credential).credential };
    expect(await reasonOf(visits.open(link_code, {}, visit))).toBe('LINK_VERIFICATION_REQUIRED');
    expect(await isActive(spark_id)).toBe(true);
  });

  it('fails for everyone without invites', async () => {
    const { link_code } = await shared({ visibility: 'invite_only', invites: [] });
    expect(await errorOf(visits.open(link_code))).toMatchObject({
      details: { verification: { methods: [] } },
    });
  });
});

describe('OPEN-25: a verification token', () => {
  const expectRejected = async (linkCode: string, verification_token: string) =>
    expect(await reasonOf(visits.open(linkCode, { verification_token }))).toBe('LINK_VERIFICATION_REQUIRED');

  it('opens only its own link; a forged one opens none and leaves the link active', async () => {
    const [mine, others] = [await forAnn(), await forAnn()];
    const otherToken = await tokenFor(others.spark_id, others.link_code, ANN);
    for (const token of [otherToken, mintBearer(), 'x', '', `${otherToken}=`])
      await expectRejected(mine.link_code, token);
    expect(await isActive(mine.spark_id)).toBe(true);
    const verification_token = await tokenFor(mine.spark_id, mine.link_code, ANN);
    expect(await visits.open(mine.link_code, { verification_token })).toMatchObject({ type: 'content' });
  });

  it('is valid for ten minutes', async () => {
    const { spark_id, link_code } = await forAnn();
    const verification_token = await tokenFor(spark_id, link_code, ANN);
    await age('verifications', 'token_expires_at', spark_id, '9 minutes');
    expect(await visits.open(link_code, { describe: true, verification_token })).toMatchObject({
      type: 'content',
    });
    await age('verifications', 'token_expires_at', spark_id, '1 minute');
    await expectRejected(link_code, verification_token);
    expect(await isActive(spark_id)).toBe(true);
  });

  it('is invalid once its invite is withdrawn, and stays valid for other invitees', async () => {
    const { spark_id, link_code } = await forAnn();
    const verification_token = await tokenFor(spark_id, link_code, ANN);
    await links.share(spark_id, { visibility: 'invite_only', invites: ['bob@example.test'] }, caller);
    await expectRejected(link_code, verification_token);
    expect(await isActive(spark_id)).toBe(true);
    const bobs = await tokenFor(spark_id, link_code, 'bob@example.test');
    expect(await visits.open(link_code, { verification_token: bobs })).toMatchObject({ type: 'content' });
  });
});

describe('OPEN-25: an invite that is withdrawn during an opening', () => {
  it('opens nothing, and the link stays active for the current invitees', async () => {
    const { spark_id, link_code } = await forAnn();
    const verification_token = await tokenFor(spark_id, link_code, ANN);
    const holder = await platform.service.context.get(Database).connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM sparks WHERE id = $1 FOR UPDATE', [spark_id]);
      const opening = reasonOf(visits.open(link_code, { verification_token })); // Verified, and waits for the Spark's row lock.
      await until(async () => (await lockWaiters(platform.service)) > 0);
      await links.share(spark_id, { visibility: 'invite_only', invites: ['bob@example.test'] }, caller);
      await holder.query('COMMIT');
      expect(await opening).toBe('LINK_BEING_OPENED');
    } finally {
      holder.release();
    }
    expect(await isActive(spark_id)).toBe(true);
  });

  it('opens nothing when the withdrawal has locked the link and commits while the opening waits', async () => {
    const { spark_id, link_code } = await forAnn();
    const verification_token = await tokenFor(spark_id, link_code, ANN);
    const holder = await platform.service.context.get(Database).connect();
    try {
      await holder.query('BEGIN');
      await holder.query('UPDATE sparklinks SET updated_at = clock_timestamp() WHERE asset_id = $1', [
        spark_id,
      ]);
      await holder.query('DELETE FROM invites USING sparklinks l WHERE link_id = l.id AND l.asset_id = $1', [
        spark_id,
      ]);
      const opening = reasonOf(visits.open(link_code, { verification_token }));
      await until(async () => (await lockWaiters(platform.service)) > 0);
      await holder.query('COMMIT');
      expect(await opening).toBe('LINK_BEING_OPENED');
    } finally {
      holder.release();
    }
    expect(await isActive(spark_id)).toBe(true);
  });
});

describe('OPEN-25: a one-time code', () => {
  it('has six digits, is valid for ten minutes, and is sent only to its identity', async () => {
    const { spark_id, link_code } = await forAnn();
    expect(await started(link_code, ANN)).toMatchObject({ sent: true });
    expect(await sentCodes(platform, spark_id)).toEqual([
      { identity: ANN, code: expect.stringMatching(/^\d{6}$/) },
    ]);
    const enqueuedMessages = (await links.enqueuedMessages(caller.credential.accountId)).at(-1);
    expect(enqueuedMessages?.payload).toEqual({
      account_id: caller.credential.accountId,
      message_id: expect.any(String),
      kind: 'code',
      channel: 'email',
    });
  });

  it('is not sent to an uninvited identity, which gets the same response', async () => {
    const { spark_id, link_code } = await forAnn();
    const invited = await started(link_code, ANN);
    const uninvited = await started(link_code, 'eve@example.test');
    expect(uninvited).toEqual({ ...invited, expires_at: expect.any(Number) });
    expect(await sentCodes(platform, spark_id)).toMatchObject([{ identity: ANN }]);
    expect(await reasonOf(visits.confirm(link_code, 'eve@example.test', '123456'))).toBe('LINK_CODE_WRONG');
    expect(await verificationsOf(spark_id)).toEqual([
      { tries_left: 5, has_code: true },
      { tries_left: 4, has_code: false },
    ]);
  });

  it('is sent to the address as spelled in the invite, not by the visitor', async () => {
    const { spark_id, link_code } = await forAnn();
    await visits.start(link_code, 'aNN@eXAMPLE.test');
    expect(await sentCodes(platform, spark_id)).toMatchObject([{ identity: ANN }]);
  });

  it('goes to the invited address alone where one is typed that only Unicode case folding equates with it', async () => {
    const { spark_id, link_code } = await shared({
      visibility: 'invite_only',
      invites: ['kim@example.test'],
    });
    await visits.start(link_code, '\u212aim@example.test'); // The Kelvin sign, whose lower case is k.
    expect((await sentCodes(platform, spark_id)).map(({ identity }) => identity)).toEqual([
      'kim@example.test',
    ]);
  });

  it('is wrong for another identity', async () => {
    const { spark_id, link_code } = await forAnybody();
    const code = await codeFor(spark_id, link_code, ANN);
    for (const identity of ['eve@example.test', 'ann@example.test.evil.test'])
      expect(await reasonOf(visits.confirm(link_code, identity, code))).toBe('LINK_CODE_WRONG');
    const other = await forAnybody();
    expect(await reasonOf(visits.confirm(other.link_code, ANN, code))).toBe('LINK_CODE_WRONG');
    expect(await visits.confirm(link_code, ANN.toLowerCase(), code)).toMatchObject({
      verification_token: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('works once', async () => {
    const { spark_id, link_code } = await forAnn();
    const code = await codeFor(spark_id, link_code, ANN);
    await visits.confirm(link_code, ANN, code);
    expect(await reasonOf(visits.confirm(link_code, ANN, code))).toBe('LINK_CODE_WRONG');
  });

  it('yields one token for twenty concurrent confirmations', async () => {
    const { spark_id, link_code } = await forAnn();
    const code = await codeFor(spark_id, link_code, ANN);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => reasonOf(visits.confirm(link_code, ANN, code))),
    );
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'LINK_CODE_WRONG')).toHaveLength(19);
  });

  it('is rejected after five wrong attempts, although it is right', async () => {
    const { spark_id, link_code } = await forAnn();
    const code = await codeFor(spark_id, link_code, ANN);
    for (let tries = 0; tries < 5; tries++)
      expect(await reasonOf(visits.confirm(link_code, ANN, wrong(code)))).toBe('LINK_CODE_WRONG');
    expect(await reasonOf(visits.confirm(link_code, ANN, code))).toBe('LINK_CODE_WRONG');
    expect(await isActive(spark_id)).toBe(true);
  });

  it('is accepted at the fifth attempt', async () => {
    const { spark_id, link_code } = await forAnn();
    const code = await codeFor(spark_id, link_code, ANN);
    for (let tries = 0; tries < 4; tries++) await reasonOf(visits.confirm(link_code, ANN, wrong(code)));
    expect(await reasonOf(visits.confirm(link_code, ANN, code))).toBe('none');
  });

  it('is compared at most five times for a hundred concurrent guesses', async () => {
    const { spark_id, link_code } = await forAnn();
    const code = await codeFor(spark_id, link_code, ANN);
    const guesses = Array.from({ length: 100 }, () =>
      reasonOf(visits.confirm(link_code, ANN, wrong(code), { withinSeconds: 60 })),
    );
    // They queue for the connections of the service; a machine may be too busy for all of them.
    for (const reason of await Promise.all(guesses)) expect(['LINK_CODE_WRONG', 'BUSY']).toContain(reason);
    expect(await verificationsOf(spark_id)).toEqual([{ tries_left: 0, has_code: true }]);
    expect(await reasonOf(visits.confirm(link_code, ANN, code))).toBe('LINK_CODE_WRONG');
  });

  it('is valid for ten minutes', async () => {
    const { spark_id, link_code } = await forAnn();
    const code = await codeFor(spark_id, link_code, ANN);
    await age('verifications', 'expires_at', spark_id, '600 seconds');
    expect(await reasonOf(visits.confirm(link_code, ANN, code))).toBe('LINK_CODE_WRONG');
  });

  it('is neither found nor tried nor exchanged after its expiry, and not tried or exchanged again', async () => {
    const verifications = platform.service.context.get(VerificationRepository);
    const database = platform.service.context.get(Database);
    const newestOf = async (sparkId: string) => {
      const [row] = await platform.sql<{ id: string; link_id: string; identity_mac: Buffer }>(
        `SELECT v.id, v.link_id, v.identity_mac FROM verifications v JOIN sparklinks l ON l.id = v.link_id
          WHERE l.asset_id = $1 ORDER BY v.created_at DESC LIMIT 1`,
        [sparkId],
      );
      const { id, link_id: linkId, identity_mac: mac } = row as NonNullable<typeof row>;
      const subject = { linkId, mac };
      return {
        find: () => verifications.findNewest(subject),
        tryIt: () => database.transaction((tx) => verifications.useAttempt(tx, subject, id)),
        exchange: () => verifications.exchange(database, id, randomBytes(32)),
      };
    };
    const { spark_id, link_code } = await forAnn();
    await visits.start(link_code, 'eve@example.test');
    const unsent = await newestOf(spark_id);
    expect([await unsent.tryIt(), await unsent.exchange()]).toEqual([{ codeMac: null }, undefined]);
    await tokenFor(spark_id, link_code, ANN);
    const used = await newestOf(spark_id);
    expect([await used.tryIt(), await used.exchange()]).toEqual([undefined, undefined]);
    await visits.start(link_code, ANN);
    const expired = await newestOf(spark_id);
    expect(await expired.find()).toMatchObject({ kid: expect.any(String) });
    await age('verifications', 'expires_at', spark_id, '10 minutes');
    for (const act of [expired.find, expired.tryIt, expired.exchange]) expect(await act()).toBeUndefined();
  });

  it('is replaced for good by the next code of its identity, and not by one of another identity', async () => {
    const { spark_id, link_code } = await forAnybody();
    const first = await codeFor(spark_id, link_code, ANN);
    const bobs = await codeFor(spark_id, link_code, 'bob@example.test');
    await visits.start(link_code, ANN.toLowerCase());
    const codes = (await sentCodes(platform, spark_id)).filter(
      ({ identity }) => identity !== 'bob@example.test',
    );
    const second = codes.find(({ identity }) => identity === ANN.toLowerCase())?.code as string;
    if (first !== second)
      expect(await reasonOf(visits.confirm(link_code, ANN, first))).toBe('LINK_CODE_WRONG');
    expect(await reasonOf(visits.confirm(link_code, ANN, second))).toBe('none');
    expect(await reasonOf(visits.confirm(link_code, ANN, first))).toBe('LINK_CODE_WRONG');
    expect(await reasonOf(visits.confirm(link_code, 'bob@example.test', bobs))).toBe('none');
  });
});

describe('OPEN-25: POST /{link_code}/verify/start', () => {
  it('rejects links that need no code', async () => {
    const { link_code } = await shared({ visibility: 'public' });
    expect(await errorOf(visits.start(link_code, ANN))).toMatchObject({
      reason: 'VALIDATION_ERROR',
      details: { fields: [{ field: 'link_code' }] },
    });
  });

  it.each([
    ['an invited identity', ANN],
    ['an identity that is not invited', 'eve@example.test'],
  ])(
    'ENV-44: succeeds five times per hour for %s under concurrency, and again an hour after the first',
    async (_, identity) => {
      const { spark_id, link_code } = await forAnn();
      const startAll = () =>
        Promise.all(
          Array.from({ length: 20 }, (_, i) => reasonOf(visits.start(link_code, spelled(identity, i)))),
        );
      const outcomes = await startAll();
      expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(5);
      expect(outcomes.filter((outcome) => outcome === 'LINK_CODES_EXHAUSTED')).toHaveLength(15);
      expect(await exhausted(visits.start(link_code, identity))).toEqual({
        reason: 'LINK_CODES_EXHAUSTED',
        limit: 5,
        used: 5,
        minutes: 60,
      });
      expect((await verificationsOf(spark_id)).length).toBe(5);
      await ageBudgets(spark_id, '1 hour');
      expect((await startAll()).filter((outcome) => outcome === 'none')).toHaveLength(5);
    },
  );

  it.each([
    ['an invited identity', ANN],
    ['an identity that is not invited', 'eve@example.test'],
  ])('succeeds twenty times per day for %s', async (_, identity) => {
    const { spark_id, link_code } = await forAnn();
    for (let hour = 0; hour < 4; hour++) {
      for (let i = 0; i < 5; i++) expect(await reasonOf(visits.start(link_code, identity))).toBe('none');
      await ageBudgets(spark_id, '1 hour');
    }
    expect(await exhausted(visits.start(link_code, identity))).toEqual({
      reason: 'LINK_CODES_EXHAUSTED',
      limit: 20,
      used: 20,
      minutes: 20 * 60,
    });
    await ageBudgets(spark_id, '20 hours');
    expect(await reasonOf(visits.start(link_code, identity))).toBe('none');
  });

  it('is limited for each address where any identity may open the link, and not for visitors elsewhere', async () => {
    const { link_code } = await forAnybody();
    const from = (clientIp: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, i) =>
          reasonOf(visits.start(link_code, `eve${i}@${clientIp.at(-1)}.test`, { clientIp })),
        ),
      );
    const outcomes = await from('203.0.113.1', 12);
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(5);
    expect(await from('::ffff:203.0.113.1', 1)).toEqual(['LINK_CODES_EXHAUSTED']);
    expect(await from('203.0.113.2', 5)).toEqual(Array(5).fill('none'));
  });

  it('rejects an address that the link is not bound to, and sends nothing', async () => {
    const made = await platform.create(
      { payload: 'https://example.com/', content_type: 'text/uri-list', bound_ip: '192.0.2.44' },
      caller,
    );
    const [link_code, spark_id] = [made.link_code as string, made.spark_id];
    await links.share(spark_id, { visibility: 'authenticated' }, caller);
    expect(await reasonOf(visits.start(link_code, ANN))).toBe('LINK_ADDRESS_REFUSED');
    expect(await sentCodes(platform, spark_id)).toEqual([]);
    expect(await reasonOf(visits.start(link_code, ANN, { clientIp: '192.0.2.44' }))).toBe('none');
  });
});

describe('the stored verification', () => {
  it('MISC-03 OPEN-25: contains neither identity nor code nor token in clear', async () => {
    const { spark_id, link_code } = await shared({
      visibility: 'invite_only',
      invites: ['canary@example.test'],
    });
    const code = await codeFor(spark_id, link_code, 'canary@example.test');
    const { verification_token } = await visits.confirm(link_code, 'canary@example.test', code);
    const [row] = await platform.sql<{ kept: string }>(
      `SELECT concat((SELECT string_agg(v::text, ' ') FROM verifications v), (SELECT string_agg(m::text, ' ') FROM link_messages m),
                     (SELECT string_agg(l::text, ' ') FROM sparklinks l), (SELECT string_agg(payload::text, ' ') FROM recorded_events WHERE name <> 'sparks.sparklink-accessed')) AS kept`,
    );
    for (const secret of ['canary@example.test', verification_token, `"${code}"`, link_code])
      for (const spelling of [secret, Buffer.from(secret).toString('hex')])
        expect(row?.kept).not.toContain(spelling);
  });

  it.each(['invites', 'verifications'])(
    'proves nothing for another link when its row in %s is moved to it',
    async (table) => {
      const [mine, others] = [
        await shared({ visibility: 'invite_only', invites: ['eve@example.test'] }),
        await forAnn(),
      ];
      const verification_token = await tokenFor(mine.spark_id, mine.link_code, 'eve@example.test');
      await platform.sql(
        `UPDATE ${table} SET link_id = (SELECT id FROM sparklinks WHERE asset_id = $2)
          WHERE link_id = (SELECT id FROM sparklinks WHERE asset_id = $1)`,
        [mine.spark_id, others.spark_id],
      );
      expect(await reasonOf(visits.open(others.link_code, { verification_token }))).toBe('INTERNAL_ERROR');
      expect(await isActive(others.spark_id)).toBe(true);
    },
  );

  it('is deleted once code and token have expired, and not before', async () => {
    const { spark_id, link_code } = await forAnybody();
    await tokenFor(spark_id, link_code, ANN);
    await visits.start(link_code, 'bob@example.test');
    const job = platform.service.context.get(PurgeVerifications);
    const kept = async () => (await verificationsOf(spark_id)).length;
    await age('verifications', 'expires_at', spark_id, '9 minutes');
    await job.run();
    expect(await kept()).toBe(2);
    await age('verifications', 'expires_at', spark_id, '1 minute');
    await job.run();
    expect(await kept()).toBe(1);
    await age('verifications', 'token_expires_at', spark_id, '10 minutes');
    await job.run();
    expect(await kept()).toBe(0);
  });
});
