import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AppError, type CallInput, type Operation, type OperationSpec } from '@vaultsvc/contracts';
import { putIngotShare, resendShareInvite } from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { accountContext, internalContext, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { PurgeVerifications } from './purge-verifications.job.js';
import { linksOf } from '../../testing/links.js';
import { usePlatform } from '../../testing/platform.js';
import { sentCodes } from '../../testing/sent-codes.js';
import { visitsTo, type Visits } from '../../testing/visits.js';

const owner = accountContext();
const ANN = 'ann@example.test';
const platform = usePlatform({ LOG_LEVEL: 'silent', MAILS_PER_HOUR: '1000' });
let links: ReturnType<typeof linksOf>;
let visits: Visits;
beforeAll(async () => {
  await stopSchedule(platform.service);
  links = linksOf(platform);
  visits = visitsTo(platform.harness);
});

async function forAnn() {
  const { spark_id } = await platform.create({ payload: 'x' }, owner);
  const { link_code } = await links.share(spark_id, { visibility: 'invite_only', invites: [ANN] }, owner);
  return { spark_id, link_code };
}
const lastCode = async (sparkId: string) => (await sentCodes(platform, sparkId)).at(-1)?.code as string;
const attacker = (number: number) => ({ clientIp: `203.0.113.${number % 250}` });

/** Moves all that was counted for a link, and its codes, into the past. */
async function pass(sparkId: string, interval: string): Promise<void> {
  const columns = {
    code_budgets: ['hour_since', 'day_since', 'wrong_since', 'closed_until', 'expires_at'],
    verifications: ['created_at', 'expires_at'],
  };
  for (const [table, names] of Object.entries(columns)) {
    const set = names.map((name) => `${name} = ${name} - $2::interval`).join();
    const which = `link_id = (SELECT id FROM sparklinks WHERE asset_id = $1)`;
    await platform.sql(`UPDATE ${table} SET ${set} WHERE ${which}`, [sparkId, interval]);
  }
}

const wrong = (code: string) => (code === '000000' ? '000001' : '000000');
/** Wrong guesses at codes of an identity for as long as starts are accepted; returns how many were compared. */
async function guessAll(sparkId: string, linkCode: string, identity = ANN): Promise<number> {
  let compared = 0;
  for (let starts = 0; starts < 6; starts++) {
    if ((await reasonOf(visits.start(linkCode, identity))) !== 'none') break;
    const code = (await lastCode(sparkId)) ?? '123456';
    const before = await triesOf(sparkId);
    for (let guess = 0; guess < 6; guess++)
      expect(await reasonOf(visits.confirm(linkCode, identity, wrong(code)))).toBe('LINK_CODE_WRONG');
    compared += (await triesOf(sparkId)) - before;
  }
  return compared;
}
async function triesOf(sparkId: string): Promise<number> {
  const [row] = await platform.sql<{ tries: number }>(
    `SELECT coalesce(sum(5 - tries_left), 0)::int AS tries FROM verifications v JOIN sparklinks l ON l.id = v.link_id WHERE l.asset_id = $1`,
    [sparkId],
  );
  return row?.tries ?? 0;
}
const lockouts = async () =>
  (await links.enqueuedMessages(owner.credential.accountId)).filter(
    ({ payload }) => payload['kind'] === 'lockout',
  );

describe('an attacker who has the link of an invitee', () => {
  it('OPEN-25: cannot use up the codes of the invitee with starts for others, from any number of addresses', async () => {
    const { spark_id, link_code } = await forAnn();
    for (let i = 0; i < 30; i++)
      expect(await reasonOf(visits.start(link_code, `eve${i}@example.test`, attacker(i)))).toBe('none');
    expect(await reasonOf(visits.start(link_code, ANN))).toBe('none');
    const { verification_token } = await visits.confirm(link_code, ANN, await lastCode(spark_id));
    expect(await visits.open(link_code, { verification_token })).toMatchObject({ type: 'content' });
  });

  it('OPEN-25: draws on no budget of the account with starts for others, which send nothing', async () => {
    const { spark_id, link_code } = await forAnn();
    const counted = async () =>
      (
        await platform.sql(`SELECT count FROM message_counts WHERE account_id = $1`, [
          owner.credential.accountId,
        ])
      )[0];
    const before = await counted();
    for (let i = 0; i < 10; i++) await visits.start(link_code, `eve${i}@example.test`, attacker(i));
    expect(await counted()).toEqual(before);
    expect(await sentCodes(platform, spark_id)).toEqual([]);
  });

  it('OPEN-25: can compare at most 20 guesses a day, not 25 an hour for ever', async () => {
    const { spark_id, link_code } = await forAnn();
    for (const hours of [24, 6]) {
      let compared = 0;
      for (let hour = 0; hour < hours; hour++) {
        compared += await guessAll(spark_id, link_code);
        await pass(spark_id, '1 hour');
      }
      expect(compared).toBe(20);
    }
  });

  it('OPEN-25: can compare at most 20 guesses with forty concurrent ones at each code', async () => {
    const { spark_id, link_code } = await forAnn();
    for (let round = 0; round < 5; round++) {
      await reasonOf(visits.start(link_code, ANN));
      const code = wrong(await lastCode(spark_id));
      await Promise.all(Array.from({ length: 40 }, () => reasonOf(visits.confirm(link_code, ANN, code))));
    }
    expect(await triesOf(spark_id)).toBe(20);
  });
});

describe('an identity with 20 wrong codes within a day', () => {
  const closed = { limit: 20, used: 20, resets_at: expect.any(Number) };
  const refusal = (answer: Promise<unknown>) =>
    answer.then(
      () => 'none',
      ({ reason, details }: AppError) => ({ reason, details }),
    );

  it('OPEN-25: is locked out of the link for a day, with the right code too, while others go on', async () => {
    const { spark_id, link_code } = await forAnn();
    await guessAll(spark_id, link_code);
    expect(await refusal(visits.start(link_code, ANN))).toEqual({
      reason: 'LINK_CODES_EXHAUSTED',
      details: closed,
    });
    expect(await reasonOf(visits.confirm(link_code, ANN, await lastCode(spark_id)))).toBe('LINK_CODE_WRONG');
    expect(await reasonOf(visits.start(link_code, 'bob@example.test'))).toBe('none');
    await pass(spark_id, '23 hours 59 minutes');
    expect(await reasonOf(visits.start(link_code, ANN))).toBe('LINK_CODES_EXHAUSTED');
    await pass(spark_id, '1 minute');
    await visits.start(link_code, ANN);
    expect(await reasonOf(visits.confirm(link_code, ANN, await lastCode(spark_id)))).toBe('none');
  });

  it('OPEN-25: is reported to the owner in one mail, which is not counted', async () => {
    const { spark_id, link_code } = await forAnn();
    const before = (await lockouts()).length;
    await guessAll(spark_id, link_code);
    await guessAll(spark_id, link_code);
    const reported = (await lockouts()).slice(before);
    expect(reported.map(({ payload }) => payload)).toEqual([
      {
        account_id: owner.credential.accountId,
        message_id: expect.any(String),
        kind: 'lockout',
        channel: 'email',
      },
    ]);
  });

  it('OPEN-25: that may not open the link is locked out alike, and nobody gets a mail', async () => {
    const { spark_id, link_code } = await forAnn();
    const before = await lockouts();
    expect(await guessAll(spark_id, link_code, 'eve@example.test')).toBe(20);
    expect(await refusal(visits.start(link_code, 'eve@example.test'))).toEqual({
      reason: 'LINK_CODES_EXHAUSTED',
      details: closed,
    });
    expect(await lockouts()).toEqual(before);
    await links.share(spark_id, { visibility: 'invite_only', invites: ['eve@example.test'] }, owner);
    expect(await reasonOf(visits.start(link_code, 'eve@example.test'))).toBe('none');
  });

  it('OPEN-25 ENV-44: counts for no other identity of the link, which has a limit of its own', async () => {
    const { spark_id, link_code } = await forAnn();
    await visits.start(link_code, ANN);
    expect(await guessAll(spark_id, link_code, 'eve@example.test')).toBe(20);
    for (let starts = 1; starts < 5; starts++)
      expect(await reasonOf(visits.start(link_code, ANN))).toBe('none');
    expect(await refusal(visits.start(link_code, ANN))).toEqual({
      reason: 'LINK_CODES_EXHAUSTED',
      details: { limit: 5, used: 5, resets_at: expect.any(Number) },
    });
  });

  it('OPEN-25: is refused its right code while it is locked out, and no other identity is', async () => {
    const { spark_id } = await platform.create({ payload: 'x' }, owner);
    const { link_code } = await links.share(spark_id, { visibility: 'authenticated' }, owner);
    const started = async (identity: string, number: number) => {
      await visits.start(link_code, identity, attacker(number));
      return lastCode(spark_id);
    };
    const anns = await started(ANN, 1);
    await platform.sql(
      `UPDATE code_budgets SET closed_until = now() + interval '1 day'
        WHERE link_id = (SELECT id FROM sparklinks WHERE asset_id = $1)`,
      [spark_id],
    );
    const bobs = await started('bob@example.test', 2);
    expect(await reasonOf(visits.confirm(link_code, ANN, anns))).toBe('LINK_CODE_WRONG');
    expect(await reasonOf(visits.confirm(link_code, 'bob@example.test', bobs))).toBe('none');
  });

  it('SPK-54 OPEN-25: is admitted again when the owner sends the invitation to a Spark again', async () => {
    const { spark_id, link_code } = await forAnn();
    await guessAll(spark_id, link_code);
    expect(await reasonOf(visits.start(link_code, ANN))).toBe('LINK_CODES_EXHAUSTED');
    await links.resend(spark_id, owner);
    for (let starts = 0; starts < 5; starts++)
      expect(await reasonOf(visits.start(link_code, ANN))).toBe('none');
    expect(await reasonOf(visits.start(link_code, ANN))).toBe('LINK_CODES_EXHAUSTED');
    expect(await reasonOf(visits.confirm(link_code, ANN, await lastCode(spark_id)))).toBe('none');
  });

  it('SPK-54 OPEN-25: can enter a code that was on its way when the invitation was sent again', async () => {
    const { spark_id, link_code } = await forAnn();
    await visits.start(link_code, ANN);
    await links.resend(spark_id, owner);
    expect(await reasonOf(visits.confirm(link_code, ANN, await lastCode(spark_id)))).toBe('none');
  });

  it('OPEN-25: is admitted again when the owner sends the invitation again, in any spelling', async () => {
    const act = {
      account_id: owner.credential.accountId,
      vault_id: newId('vlt_'),
      ingot_id: newId('ing_'),
      link_id: randomUUID(),
      actor_type: 'api_key',
      actor_id: 'key_1',
    } as const;
    const call = <S extends OperationSpec>(op: Operation<S>, body: object) =>
      platform.harness.bus.call(op, { body } as unknown as CallInput<S>, internalContext());
    const { link_code, invites } = await call(putIngotShare, {
      ...act,
      visibility: 'invite_only',
      invites: ['Ann@example.test', 'bob@example.test'],
    });
    const files = { domain: 'files' } as const;
    const start = (identity: string) => reasonOf(visits.start(link_code, identity, files));
    for (const identity of [ANN, 'bob@example.test']) for (let i = 0; i < 6; i++) await start(identity);
    const [ann] = invites;
    await call(resendShareInvite, { ...act, invite_id: ann?.invite_id });
    expect([await start(ANN), await start('bob@example.test')]).toEqual(['none', 'LINK_CODES_EXHAUSTED']);
  });
});

describe('the counts of codes', () => {
  it('MISC-03 OPEN-25: contain neither identity nor address, and are deleted a day after the last code', async () => {
    const { spark_id, link_code } = await forAnn();
    await visits.start(link_code, ANN, { clientIp: '203.0.113.77' });
    const kept = () =>
      platform.sql<{ row: string }>(
        `SELECT b::text AS row FROM code_budgets b JOIN sparklinks l ON l.id = link_id WHERE asset_id = $1`,
        [spark_id],
      );
    for (const secret of [ANN, '203.0.113.77'])
      for (const form of [secret, Buffer.from(secret).toString('hex')])
        expect((await kept())[0]?.row).not.toContain(form);
    const job = platform.service.context.get(PurgeVerifications);
    await pass(spark_id, '12 hours');
    await visits.start(link_code, ANN, { clientIp: '203.0.113.77' });
    await pass(spark_id, '23 hours 59 minutes');
    await job.run();
    expect(await kept()).toHaveLength(1);
    await pass(spark_id, '1 minute');
    await job.run();
    expect(await kept()).toEqual([]);
  });
});
