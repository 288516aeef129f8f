import { beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import {
  integer,
  rotatedKey,
  type RotatedKey,
  Secret,
  secretUrl,
  Setting,
  StatefulConfig,
} from '@vaultsvc/config';
import { decode, identityKey, type AccountContext, type Input } from '@vaultsvc/contracts';
import { Invitation, inviteUser, listUsers, removeUser } from '@vaultsvc/contracts/auth';
import { loadPoolSnapshot, type PoolSnapshotLoaded } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, statement } from '@vaultsvc/database';
import { poolSnapshotCache, PoolSnapshotCache, RedisModule } from '@vaultsvc/limits';
import { serviceStorage, Handles } from '@vaultsvc/messaging';
import { defineService } from '@vaultsvc/service';
import { useHarness, useRedisInspector, useService } from '@vaultsvc/testing/fixtures';
import { accountContext, outboxEvents, rowsOf } from '@vaultsvc/testing/harness';
import { mintApiKey, newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';
import { publishAsReporting } from '../testing/redis-peers.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
const service = useService(harness, auth);
const redis = useRedisInspector();
let database: Database;

beforeAll(async () => {
  database = service.context.get(Database);
});

const invite = (body: Partial<Invitation>, context: AccountContext) =>
  harness.bus.call(inviteUser, { body: { role: 'member', seat: 'full', ...body } as Invitation }, context);
const newCaller = async () => (await mintApiKey(service)).context;
const address = () => `${newId('user_').toLowerCase()}@example.test`;
const count = async (context: AccountContext) =>
  (await harness.bus.call(listUsers, { query: { limit: 100 } }, context)).count;

const TAKEN = { code: 'CONFLICT', reason: 'EMAIL_TAKEN' };
const EXHAUSTED = { code: 'CONFLICT', reason: 'SEATS_EXHAUSTED' };

const pool = { used: 0, limit: 1 };
const poolSnapshotOf = (seats: number, version = 1) => ({
  version,
  plan: 'active' as const,
  storage: pool,
  bandwidth: { ...pool, cycle_resets_at: 1 },
  identity: { used: 0, limit: seats },
});
const grantSeats = ({ credential }: AccountContext, seats: number, version = 1) =>
  publishAsReporting(harness, credential.accountId, poolSnapshotOf(seats, version));
const forgetPoolSnapshot = ({ credential }: AccountContext) =>
  redis.command('DEL', `funds:${credential.accountId}`);

const eventsOf = (userId: string) => outboxEvents(service, { user_id: userId });

describe('OPEN-33 OPEN-57 OPEN-07: POST /v1/users', () => {
  it('invites a user and answers the invitation', async () => {
    const email = address();
    expect(await invite({ email, name: 'Zoë 🚀', role: 'admin', seat: 'viewer' }, await newCaller())).toEqual(
      {
        user_id: expect.stringMatching(/^usr_[0-9A-Za-z]{22}$/),
        email,
        name: 'Zoë 🚀',
        role: 'admin',
        seat: 'viewer',
        status: 'invited',
        created_at: expect.any(Number),
      },
    );
  });

  it('defaults to a member with a full seat and without a name', async () => {
    const body = decode(Invitation, { email: address() });
    expect(await invite(body, await newCaller())).toMatchObject({ name: null, role: 'member', seat: 'full' });
  });

  it('OPEN-59: lets an owner invite an owner', async () => {
    const { accountId, userId } = await newAccount(service);
    const owner = accountContext({ kind: 'session', accountId, userId, role: 'owner' });
    expect(await invite({ email: address(), role: 'owner' }, owner)).toMatchObject({ role: 'owner' });
  });

  it('records auth.user-added and auth.user-invited with ids only', async () => {
    const { accountId, userId } = await newAccount(service);
    const owner = accountContext({ kind: 'session', accountId, userId, role: 'owner' });
    const { user_id } = await invite({ email: address(), name: 'Secret Name' }, owner);
    const from = { account_id: accountId, request_id: owner.requestId };
    const ids = { account_id: accountId, user_id };
    expect(await eventsOf(user_id)).toEqual([
      { name: 'auth.user-added', ...from, payload: ids },
      { name: 'auth.user-invited', ...from, payload: { ...ids, actor_id: userId } },
    ]);
  });

  it('AUTH-34: refuses a member with 403', async () => {
    const member = accountContext({ ...(await newCaller()).credential, kind: 'session', role: 'member' });
    await expect(invite({ email: address() }, member)).rejects.toMatchObject({ reason: 'ROLE_REQUIRED' });
  });

  it.each([
    {},
    { email: null },
    { email: 'ann' },
    { email: `${'a'.repeat(65)}@example.test` },
    { email: 'a@example.test', role: 'root' },
    { email: 'a@example.test', role: null },
    { email: 'a@example.test', seat: 'window' },
    { email: 'a@example.test', name: '\n' },
  ])('rejects %j', (raw) => {
    expect(() => decode(Invitation, raw)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });

  it.each([
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@under_score.test',
    'a@x＠claimed.test',
    'a@-.test',
    'a..b@x.test',
    '.a@x.test',
    'a.@x.test',
  ])('rejects the address %s, which no mail reaches and no domain claim covers', async (email) => {
    await expect(invite({ email }, await newCaller())).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ field: 'email' }] },
    });
  });
});

describe('OPEN-59: the address of an invitation', () => {
  it('is refused with 409 if an invitation of the account has it, in any spelling', async () => {
    const caller = await newCaller();
    const name = newId('user_').toLowerCase();
    const { email } = await invite({ email: `${name}é@exämple.test` }, caller);
    for (const spelling of [
      email,
      email.toUpperCase(),
      email.normalize('NFD'),
      `${name}é@xn--exmple-cua.test`,
      `${email}.`,
    ])
      await expect(invite({ email: spelling }, caller)).rejects.toMatchObject(TAKEN);
  });

  it('is refused with 409 if an active user or the expected first owner of any account has it, in any spelling', async () => {
    const caller = await newCaller();
    const { email: active } = await newAccount(service);
    const { email: expected, userId } = await newAccount(service);
    await rowsOf(service, `UPDATE users SET status = 'invited', joins_at_sign_in = true WHERE id = $1`, [
      userId,
    ]);
    for (const email of [active, active.toUpperCase(), expected, expected.toUpperCase()])
      await expect(invite({ email }, caller)).rejects.toMatchObject(TAKEN);
  });

  it('may be invited by several accounts', async () => {
    const email = address();
    for (const caller of [await newCaller(), await newCaller()])
      expect(await invite({ email }, caller)).toMatchObject({ email, status: 'invited' });
  });

  it('is answered as written, normalized to NFC', async () => {
    const name = newId('Ann_');
    expect(await invite({ email: `${name}e\u0301@Example.test` }, await newCaller())).toMatchObject({
      email: `${name}\u00e9@Example.test`,
    });
  });

  it('loses the trailing root dot, which mail servers reject', async () => {
    const email = address();
    expect(await invite({ email: `${email}.` }, await newCaller())).toMatchObject({ email });
  });

  it('is refused with 409 if it belongs to an identity whose user has another address', async () => {
    const { userId } = await newAccount(service);
    const email = address();
    await insertIdentity(email, userId);
    await expect(invite({ email: email.toUpperCase() }, await newCaller())).rejects.toMatchObject(TAKEN);
  });

  it('may belong to an identity that has not signed up', async () => {
    const email = address();
    await insertIdentity(email, null);
    expect(await invite({ email }, await newCaller())).toMatchObject({ email });
  });

  it('is invited once by twenty concurrent invitations of one account', async () => {
    const caller = await newCaller();
    const email = address();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => invite({ email }, caller)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(TAKEN);
  });

  it('may be invited again after the invitation is withdrawn', async () => {
    const caller = await newCaller();
    const email = address();
    const { user_id } = await invite({ email }, caller);
    await harness.bus.call(removeUser, { params: { user_id } }, caller);
    expect(await invite({ email }, caller)).toMatchObject({ email, status: 'invited' });
  });
});

describe('OPEN-59: inviting an address in a claimed domain', () => {
  it('is refused with 403, in any spelling, unless the account of the caller claimed it', async () => {
    const [owner, other] = [await newCaller(), await newCaller()];
    await claim('xn--klm-qla.test', owner.credential.accountId);
    for (const email of ['a@kälm.test', 'b@KÄLM.Test', 'c@xn--klm-qla.test', 'd@kälm.test.'])
      await expect(invite({ email }, other)).rejects.toMatchObject({
        code: 'FORBIDDEN',
        reason: 'DOMAIN_CLAIMED',
      });
    expect(await invite({ email: 'a@kälm.test' }, owner)).toMatchObject({ status: 'invited' });
    expect(await invite({ email: 'a@sub.kälm.test' }, other)).toMatchObject({ status: 'invited' });
  });
});

describe('MISC-06 OPEN-59: seats of the identity pool', () => {
  it('are used by active and invited users, and freed by a withdrawn invitation', async () => {
    const caller = await newCaller(); // The owner uses one seat.
    await grantSeats(caller, 3);
    const { user_id } = await invite({ email: address() }, caller);
    await invite({ email: address(), seat: 'viewer' }, caller);
    await expect(invite({ email: address() }, caller)).rejects.toMatchObject(EXHAUSTED);
    await harness.bus.call(removeUser, { params: { user_id } }, caller);
    await invite({ email: address() }, caller);
    expect(await count(caller)).toBe(3);
  });

  it('admit one of twenty concurrent invitations for the last seat', async () => {
    const caller = await newCaller();
    await grantSeats(caller, 2);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => invite({ email: address() }, caller)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(EXHAUSTED);
    expect(await count(caller)).toBe(2);
  });

  it('admit no invitation and remove no user after the plan has shrunk', async () => {
    const caller = await newCaller();
    await grantSeats(caller, 2);
    await invite({ email: address() }, caller);
    await grantSeats(caller, 0, 2);
    await expect(invite({ email: address() }, caller)).rejects.toMatchObject(EXHAUSTED);
    expect(await count(caller)).toBe(2);
  });

  it('bound the invitations of an hour, removed ones included, with INVITATIONS_EXHAUSTED', async () => {
    const caller = await newCaller();
    await grantSeats(caller, 1_000);
    const { accountId } = caller.credential;
    const removed = (
      age: string,
    ) => `INSERT INTO users (id, account_id, email, email_key, role, seat, status, created_at)
      SELECT 'usr_' || md5(random()::text), $1, '', md5(random()::text), 'member', 'full', 'removed', now() - interval '${age}'
        FROM generate_series(1, $2)`;
    await rowsOf(service, removed('61 minutes'), [accountId, 50]);
    await rowsOf(service, removed('59 minutes'), [accountId, 998]);
    // With the owner these are 999 within the hour; older ones do not count.
    expect(await invite({ email: address() }, caller)).toMatchObject({ status: 'invited' });
    await expect(invite({ email: address() }, caller)).rejects.toMatchObject({
      code: 'CONFLICT',
      reason: 'INVITATIONS_EXHAUSTED',
    });
  });

  it('MISC-01: do not limit invitations while reporting is down', async () => {
    const caller = await newCaller();
    await forgetPoolSnapshot(caller);
    expect(await invite({ email: address() }, caller)).toMatchObject({ status: 'invited' });
  });

  it('are loaded from reporting when Redis has no pool snapshot', async () => {
    const reporting = await harness.start(fakeReporting);
    const caller = await newCaller();
    await forgetPoolSnapshot(caller);
    await invite({ email: address() }, caller);
    await expect(invite({ email: address() }, caller)).rejects.toMatchObject(EXHAUSTED);
    await reporting.stop();
  });
});

class FakeReportingConfig extends StatefulConfig {
  @Setting(secretUrl, 'Redis.') REDIS_URL: Secret;
  @Setting(integer(), 'Timeout of a Redis command, in milliseconds.') REDIS_ANSWER_MS = 250;
  @Setting(rotatedKey, 'Key of the MAC.') POOL_SNAPSHOT_KEY: Secret<RotatedKey>;
}

/** Answers like reporting, with a limit of two seats. */
@Controller()
class LoadPoolSnapshot {
  constructor(private readonly cache: PoolSnapshotCache) {}

  @Handles(loadPoolSnapshot)
  async handle({ body }: Input<typeof loadPoolSnapshot>): Promise<PoolSnapshotLoaded> {
    await this.cache.put(body.account_id, poolSnapshotOf(2));
    return {};
  }
}

@Module({
  imports: [RedisModule.forRoot(FakeReportingConfig, [poolSnapshotCache(FakeReportingConfig)])],
  controllers: [LoadPoolSnapshot],
})
class FakeReportingModule {}

const fakeReporting = defineService({
  name: 'reporting',
  config: FakeReportingConfig,
  module: FakeReportingModule,
  storage: serviceStorage(),
});

async function insertIdentity(email: string, userId: string | null): Promise<void> {
  const insert = statement(
    'test.identity',
    `INSERT INTO identities (id, issuer, subject, email, email_key, user_id) VALUES ($1, 'https://idp.test', $1, $2, $3, $4)`,
  );
  await database.query(insert, [newId('idn_'), email, identityKey(email), userId]);
}

async function claim(domain: string, accountId: string): Promise<void> {
  const insert = statement('test.claim', `INSERT INTO domains (domain, account_id) VALUES ($1, $2)`);
  await database.query(insert, [domain, accountId]);
}
