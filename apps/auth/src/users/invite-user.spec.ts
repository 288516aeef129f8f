import { beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { integer, Secret, secretUrl, Setting, StatefulConfig } from '@vaultsvc/config';
import { decode, type AccountContext, type Input } from '@vaultsvc/contracts';
import { Invitation, inviteUser, listUsers, removeUser } from '@vaultsvc/contracts/auth';
import { loadPoolSnapshot, type PoolSnapshotLoaded } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, statement } from '@vaultsvc/database';
import { PoolSnapshotCache, RedisConnection, RedisModule } from '@vaultsvc/limits';
import { CreateMessagingTables1700000000000, Handles } from '@vaultsvc/messaging';
import { defineService } from '@vaultsvc/service';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { accountContext, outboxEvents, rowsOf } from '@vaultsvc/testing/harness';
import { mintApiKey, newAccount } from '@vaultsvc/tools-testing/accounts';
import { emailKey } from '../accounts/email.js';
import { auth } from '../service-definition.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
const service = useService(harness, auth);
let database: Database;

beforeAll(async () => {
  database = service.context.get(Database);
});

const invite = (body: Partial<Invitation>, context: AccountContext) =>
  harness.bus.call(inviteUser, { body: { role: 'member', seat: 'full', ...body } as Invitation }, context);
const fresh = async () => (await mintApiKey(service)).context;
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
  service.context.get(PoolSnapshotCache).put(credential.accountId, poolSnapshotOf(seats, version));
const forgetPoolSnapshot = ({ credential }: AccountContext) =>
  service.context.get(RedisConnection).command(['DEL', `funds:${credential.accountId}`]);

const eventsOf = (userId: string) => outboxEvents(service, { user_id: userId });

describe('OPEN-33 OPEN-57 OPEN-07: POST /v1/users', () => {
  it('invites a person and answers the row', async () => {
    const email = address();
    expect(await invite({ email, name: 'Zoë 🚀', role: 'admin', seat: 'viewer' }, await fresh())).toEqual({
      user_id: expect.stringMatching(/^usr_[0-9A-Za-z]{22}$/),
      email,
      name: 'Zoë 🚀',
      role: 'admin',
      seat: 'viewer',
      status: 'invited',
      created_at: expect.any(Number),
    });
  });

  it('a member with a full seat and without a name, where nothing else is said', async () => {
    const body = decode(Invitation, { email: address() });
    expect(await invite(body, await fresh())).toMatchObject({ name: null, role: 'member', seat: 'full' });
  });

  it('an admin may invite an owner', async () => {
    const { accountId, userId } = await newAccount(service);
    const admin = accountContext({ kind: 'session', accountId, userId, role: 'admin' });
    expect(await invite({ email: address(), role: 'owner' }, admin)).toMatchObject({ role: 'owner' });
  });

  it('tells whoever counts seats and whoever writes mails, by ids only', async () => {
    const { accountId, userId } = await newAccount(service);
    const owner = accountContext({ kind: 'session', accountId, userId, role: 'owner' });
    const { user_id } = await invite({ email: address(), name: 'Secret Name' }, owner);
    const from = { account_id: accountId, request_id: owner.requestId };
    const fact = { account_id: accountId, user_id };
    expect(await eventsOf(user_id)).toEqual([
      { name: 'auth.user-added', ...from, payload: fact },
      { name: 'auth.user-invited', ...from, payload: { ...fact, actor_id: userId } },
    ]);
  });

  it('AUTH-34: refuses a member with 403', async () => {
    const member = accountContext({ ...(await fresh()).credential, kind: 'session', role: 'member' });
    await expect(invite({ email: address() }, member)).rejects.toMatchObject({ reason: 'ROLE_REQUIRED' });
  });

  it.each([
    {},
    { email: null },
    { email: 'nobody' },
    { email: `${'a'.repeat(65)}@example.test` },
    { email: 'a@example.test', role: 'root' },
    { email: 'a@example.test', role: null },
    { email: 'a@example.test', seat: 'window' },
    { email: 'a@example.test', name: '\n' },
  ])('refuses %j', (raw) => {
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
  ])('refuses %s, where no mail can arrive and no claim could be found', async (email) => {
    await expect(invite({ email }, await fresh())).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ field: 'email' }] },
    });
  });
});

describe('OPEN-59: an address belongs to one person of the platform', () => {
  it('409 for the address of a user or of an invited one, here or elsewhere, however it is spelt', async () => {
    const [one, other] = [await fresh(), await fresh()];
    const name = newId('user_').toLowerCase();
    const { email } = await invite({ email: `${name}é@exämple.test` }, one);
    for (const spelling of [
      email,
      email.toUpperCase(),
      email.normalize('NFD'),
      `${name}é@xn--exmple-cua.test`,
      `${email}.`,
    ])
      for (const context of [one, other])
        await expect(invite({ email: spelling }, context)).rejects.toMatchObject(TAKEN);
    const { email: active } = await newAccount(service);
    await expect(invite({ email: active }, one)).rejects.toMatchObject(TAKEN);
  });

  it('is shown as it was written, in the one form of Unicode', async () => {
    const name = newId('Ann_');
    expect(await invite({ email: `${name}e\u0301@Example.test` }, await fresh())).toMatchObject({
      email: `${name}\u00e9@Example.test`,
    });
  });

  it('loses the dot of the root, which mail servers refuse', async () => {
    const email = address();
    expect(await invite({ email: `${email}.` }, await fresh())).toMatchObject({ email });
  });

  it('409 for the address of an identity that signs in to an organization under another one', async () => {
    const { userId } = await newAccount(service);
    const email = address();
    await insertIdentity(email, userId);
    await expect(invite({ email: email.toUpperCase() }, await fresh())).rejects.toMatchObject(TAKEN);
  });

  it('an identity that has not registered may be invited', async () => {
    const email = address();
    await insertIdentity(email, null);
    expect(await invite({ email }, await fresh())).toMatchObject({ email });
  });

  it('of twenty accounts that invite one address at once, one does', async () => {
    const callers = await Promise.all(Array.from({ length: 20 }, fresh));
    const email = address();
    const outcomes = await Promise.allSettled(callers.map((caller) => invite({ email }, caller)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(TAKEN);
  });

  it('a withdrawn invitation frees the address, for any account', async () => {
    const [one, other] = [await fresh(), await fresh()];
    const email = address();
    const { user_id } = await invite({ email }, one);
    await harness.bus.call(removeUser, { params: { user_id } }, one);
    expect(await invite({ email }, other)).toMatchObject({ email, status: 'invited' });
  });
});

describe('OPEN-59: claimed domains', () => {
  it('403 where another organization claimed the domain, in any spelling; its own account may invite', async () => {
    const [owner, other] = [await fresh(), await fresh()];
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
  it('people take seats, invited or active; a withdrawn invitation gives its seat back', async () => {
    const caller = await fresh(); // its owner has one
    await grantSeats(caller, 3);
    const { user_id } = await invite({ email: address() }, caller);
    await invite({ email: address(), seat: 'viewer' }, caller);
    await expect(invite({ email: address() }, caller)).rejects.toMatchObject(EXHAUSTED);
    await harness.bus.call(removeUser, { params: { user_id } }, caller);
    await invite({ email: address() }, caller);
    expect(await count(caller)).toBe(3);
  });

  it('of twenty invitations at once for the last seat exactly one passes', async () => {
    const caller = await fresh();
    await grantSeats(caller, 2);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => invite({ email: address() }, caller)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(EXHAUSTED);
    expect(await count(caller)).toBe(2);
  });

  it('a plan that has become smaller refuses more people and removes nobody', async () => {
    const caller = await fresh();
    await grantSeats(caller, 2);
    await invite({ email: address() }, caller);
    await grantSeats(caller, 0, 2);
    await expect(invite({ email: address() }, caller)).rejects.toMatchObject(EXHAUSTED);
    expect(await count(caller)).toBe(2);
  });

  it('a stranger is not written to without end: who invites and removes for an hour is told to wait', async () => {
    const caller = await fresh();
    await grantSeats(caller, 1_000);
    const { accountId } = caller.credential;
    const removed = (
      age: string,
    ) => `INSERT INTO users (id, account_id, email, email_key, role, seat, status, created_at)
      SELECT 'usr_' || md5(random()::text), $1, '', md5(random()::text), 'member', 'full', 'removed', now() - interval '${age}'
        FROM generate_series(1, $2)`;
    await rowsOf(service, removed('61 minutes'), [accountId, 50]);
    await rowsOf(service, removed('59 minutes'), [accountId, 998]);
    // With the account's own person these are 999 within the hour; the older ones do not count.
    expect(await invite({ email: address() }, caller)).toMatchObject({ status: 'invited' });
    await expect(invite({ email: address() }, caller)).rejects.toMatchObject({
      code: 'CONFLICT',
      reason: 'INVITATIONS_EXHAUSTED',
    });
  });

  it('MISC-01: while reporting is away nobody is kept from working', async () => {
    const caller = await fresh();
    await forgetPoolSnapshot(caller);
    expect(await invite({ email: address() }, caller)).toMatchObject({ status: 'invited' });
  });

  it('reporting is asked for a limit that Redis does not know', async () => {
    const reporting = await harness.start(standIn);
    const caller = await fresh();
    await forgetPoolSnapshot(caller);
    await invite({ email: address() }, caller);
    await expect(invite({ email: address() }, caller)).rejects.toMatchObject(EXHAUSTED);
    await reporting.stop();
  });
});

class StandInConfig extends StatefulConfig {
  @Setting(secretUrl, 'Redis.') REDIS_URL: Secret;
  @Setting(integer(), 'As of auth.') REDIS_ANSWER_MS = 250;
}

/** Answers as reporting does, for accounts of two seats. */
@Injectable()
class LoadPoolSnapshot {
  constructor(private readonly cache: PoolSnapshotCache) {}

  @Handles(loadPoolSnapshot)
  async handle({ body }: Input<typeof loadPoolSnapshot>): Promise<PoolSnapshotLoaded> {
    await this.cache.put(body.account_id, poolSnapshotOf(2));
    return {};
  }
}

@Module({ imports: [RedisModule.forRoot(StandInConfig)], providers: [LoadPoolSnapshot] })
class StandInModule {}

const standIn = defineService({
  name: 'reporting',
  config: StandInConfig,
  module: StandInModule,
  storage: { entities: [], migrations: [CreateMessagingTables1700000000000] },
});

async function insertIdentity(email: string, userId: string | null): Promise<void> {
  const insert = statement(
    'test.identity',
    `INSERT INTO identities (id, issuer, subject, email, email_key, user_id) VALUES ($1, 'https://idp.test', $1, $2, $3, $4)`,
  );
  await database.query(insert, [newId('idn_'), email, emailKey(email), userId]);
}

async function claim(domain: string, accountId: string): Promise<void> {
  const insert = statement('test.claim', `INSERT INTO domains (domain, account_id) VALUES ($1, $2)`);
  await database.query(insert, [domain, accountId]);
}
