import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { StatefulConfig } from '@vaultsvc/config';
import { type Event } from '@vaultsvc/contracts';
import { loadPoolSnapshot } from '@vaultsvc/contracts/reporting';
import { accountCreated, userAdded, userRemoved } from '@vaultsvc/contracts/auth';
import { sparkCreated, sparkDeleted, sparkExpired, sparkRead } from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, statement } from '@vaultsvc/database';
import { PoolSnapshotCache, type PoolSnapshot } from '@vaultsvc/limits';
import { serviceStorage } from '@vaultsvc/messaging';
import { defineService, type RunningService } from '@vaultsvc/service';
import {
  type Harness,
  hasSentAll,
  internalContext,
  publishFrom,
  sendAgain,
  startHarness,
} from '@vaultsvc/testing/harness';
import { inspectRedis, startRedis, type RedisInspector, type TestServer } from '@vaultsvc/testing/servers';
import { eventually, until } from '@vaultsvc/testing/waiting';
import { publishSigned, signedEvents } from '@vaultsvc/testing/wire';
import { reporting } from './service-definition.js';

@Module({})
class PublisherModule {}

/** A service that only has an outbox, and publishes the events of a test. */
const storage = serviceStorage();
const publisherOf = (name: string) =>
  defineService({ name, config: StatefulConfig, module: PublisherModule, storage });

let harness: Harness;
let redis: TestServer;
let inspector: RedisInspector;
let sparks: RunningService;
let auth: RunningService;
let service: RunningService;

beforeAll(async () => {
  harness = await startHarness({ LOG_LEVEL: 'silent' });
  redis = await startRedis();
  inspector = await inspectRedis(redis.url);
  const settings = {
    REDIS_URL: redis.url,
    STORAGE_POOL_BYTES: '1000',
    BANDWIDTH_POOL_BYTES: '5000',
    IDENTITY_POOL_SEATS: '3',
  };
  [sparks, auth] = await Promise.all([
    harness.start(publisherOf('sparks')),
    harness.start(publisherOf('auth')),
  ]);
  service = await harness.start(reporting, settings);
  await harness.start(reporting, settings); // a second instance shares the work
});
afterAll(async () => {
  await harness.stop();
  inspector.close();
  await redis.stop();
});

const action = { actor_type: 'api_key', actor_id: 'key_1' } as const;

/** Publishes events of one service. */
async function publish<P extends object>(...events: [Event<P>, P][]): Promise<void> {
  await publishFrom(events[0]?.[0].service === 'auth' ? auth : sparks, ...events);
}

function spark(accountId: string, bytes: number) {
  return { spark_id: newId('spk_'), account_id: accountId, size_bytes: bytes, ...action };
}

const rowsOf = statement(
  'test.ledger',
  `SELECT type, resource, quantity, unit, reference_id, actor_type FROM ledger_lines WHERE account_id = $1 ORDER BY event_id, resource DESC`,
);
const sums = statement(
  'test.sums',
  `SELECT coalesce(sum(quantity) FILTER (WHERE resource = 'storage'), 0)::bigint AS storage,
          coalesce(sum(quantity) FILTER (WHERE resource = 'bandwidth'), 0)::bigint AS bandwidth, count(*)::int AS lines
     FROM ledger_lines WHERE account_id = $1`,
);
const query = <Row extends Record<string, unknown>>(text: ReturnType<typeof statement>, values: unknown[]) =>
  service.context.get(Database).query<Row>(text, values);

const lines = (accountId: string) => query(rowsOf, [accountId]);
/** Retries while Redis does not answer within its 250 ms. */
const answered = <T>(call: () => Promise<T>) =>
  eventually(
    () => call().catch(() => undefined),
    (answer) => answer !== undefined,
  ) as Promise<T>;
const cached = (accountId: string) => answered(() => service.context.get(PoolSnapshotCache).get(accountId));
const loadOnce = (accountId: string) =>
  harness.bus.call(loadPoolSnapshot, { body: { account_id: accountId } }, internalContext());
const load = (accountId: string) => answered(() => loadOnce(accountId));

const snapshotWhere = (accountId: string, holds: (record: PoolSnapshot) => boolean) =>
  eventually(
    () => cached(accountId),
    (record) => record !== null && holds(record),
  );

describe('OPEN-58: the usage of a Spark', () => {
  it('RPT-31: is storage and bandwidth on creation, in pools and ledger', async () => {
    const account = newId('acc_');
    const created = spark(account, 300);
    await publish([sparkCreated, created]);
    const record = await snapshotWhere(account, ({ storage }) => storage.used === 300);
    expect(record).toMatchObject({
      plan: 'active',
      storage: { used: 300, limit: 1000 },
      bandwidth: { used: 300, limit: 5000 },
    });
    const common = {
      type: 'spark_create',
      quantity: 300,
      unit: 'bytes',
      reference_id: created.spark_id,
      actor_type: 'api_key',
    };
    expect(await lines(account)).toEqual([
      { ...common, resource: 'storage' },
      { ...common, resource: 'bandwidth' },
    ]);
  });

  it('returns the storage of the owner and draws bandwidth of the reader on a read', async () => {
    const [owner, reader] = [newId('acc_'), newId('acc_')];
    const created = spark(owner, 200);
    await publish([sparkCreated, created]);
    await publish([sparkRead, { ...created, actor_type: 'session', reader_account_id: reader }]);
    await snapshotWhere(reader, ({ bandwidth }) => bandwidth.used === 200);
    await snapshotWhere(owner, ({ storage, bandwidth }) => storage.used === 0 && bandwidth.used === 200);
    expect(await cached(reader)).toMatchObject({ storage: { used: 0 }, bandwidth: { used: 200 } });
    expect(await lines(reader)).toEqual([
      {
        type: 'spark_read',
        resource: 'bandwidth',
        quantity: 200,
        unit: 'bytes',
        reference_id: created.spark_id,
        actor_type: 'user',
      },
    ]);
  });

  it('draws bandwidth of the owner on a read through its link', async () => {
    const owner = newId('acc_');
    const created = spark(owner, 70);
    await publish([sparkCreated, created]);
    await publish([sparkRead, { ...created, actor_type: 'link', reader_account_id: owner }]);
    await snapshotWhere(owner, ({ storage, bandwidth }) => storage.used === 0 && bandwidth.used === 140);
    const read = { type: 'spark_read', resource: 'bandwidth', quantity: 70, actor_type: 'link' };
    expect(await lines(owner)).toContainEqual(expect.objectContaining(read));
  });

  it.each([
    ['deleted', 'spark_delete', sparkDeleted, 'api_key'],
    ['expired', 'spark_expire', sparkExpired, 'system'],
  ] as const)('returns the storage and draws no bandwidth when it is %s', async (_, type, event, actor) => {
    const account = newId('acc_');
    const { spark_id, account_id, size_bytes } = spark(account, 50);
    await publish([sparkCreated, { spark_id, account_id, size_bytes, ...action }]);
    await publish([
      event as Event,
      { spark_id, account_id, size_bytes, ...(actor === 'system' ? {} : action) },
    ]);
    await snapshotWhere(account, ({ storage, bandwidth }) => storage.used === 0 && bandwidth.used === 50);
    const line = (await lines(account)).find((one) => one['type'] === type);
    expect(line).toMatchObject({
      resource: 'storage',
      quantity: -50,
      actor_type: actor,
    });
  });

  it('is never shown as negative storage when its deletion is applied before its creation', async () => {
    const account = newId('acc_');
    const created = spark(account, 70);
    await publish([sparkDeleted, created]);
    expect(await snapshotWhere(account, () => true)).toMatchObject({ storage: { used: 0 } });
    await publish([sparkCreated, created]);
    expect(await snapshotWhere(account, ({ version }) => version > 1)).toMatchObject({
      storage: { used: 0 },
    });
  });

  it('sums up exactly in pools and ledger, with thousands of events on two instances and redeliveries', async () => {
    const accounts = Array.from({ length: 20 }, () => newId('acc_'));
    const created = Array.from({ length: 2_000 }, (_, i) => spark(accounts[i % 20] as string, 1 + (i % 97)));
    for (let i = 0; i < 2_000; i += 500) {
      await publish(
        ...created.slice(i, i + 500).map((one) => [sparkCreated, one] as [typeof sparkCreated, typeof one]),
      );
    }
    await publish(
      ...created.slice(0, 700).map((one) => [sparkDeleted, one] as [typeof sparkDeleted, typeof one]),
    );
    await eventually(() => hasSentAll(sparks), Boolean);
    const again = await sendAgain(sparks, `seq % 3 = 0 AND name = 'sparks.deleted'`);
    expect(again.length).toBeGreaterThan(100);
    for (const [i, account] of accounts.entries()) {
      const own = created.filter((_, j) => j % 20 === i).map(({ size_bytes }) => size_bytes);
      const total = own.reduce((a, b) => a + b, 0);
      const kept = own.slice(35).reduce((a, b) => a + b, 0);
      await snapshotWhere(
        account,
        ({ storage, bandwidth }) => storage.used === kept && bandwidth.used === total,
      );
      expect(await query(sums, [account])).toEqual([{ storage: kept, bandwidth: total, lines: 235 }]);
    }
  });
});

describe('OPEN-04: the plan of an account', () => {
  it('ENV-11 ENV-12 MISC-06: is the default plan at first, with three pools and a bandwidth cycle of 30 days', async () => {
    const account = newId('acc_');
    expect(await load(account)).toEqual({});
    const record = await cached(account);
    expect(record).toEqual({
      version: 1,
      plan: 'active',
      storage: { used: 0, limit: 1000 },
      bandwidth: { used: 0, limit: 5000, cycle_resets_at: expect.any(Number) },
      identity: { used: 1, limit: 3 },
    });
    const days = ((record?.bandwidth.cycle_resets_at ?? 0) - Date.now() / 1_000) / 86_400;
    expect(days).toBeGreaterThan(29.99);
    expect(days).toBeLessThan(30.01);
  });

  it('ENV-23: is "none" in the snapshot when it is not active', async () => {
    const account = newId('acc_');
    await load(account);
    await query(
      statement('test.end', `UPDATE pools SET status = 'none', version = version + 1 WHERE account_id = $1`),
      [account],
    );
    await load(account);
    expect((await cached(account))?.plan).toBe('none');
  });

  it('ENV-24: is overridden by limits of the account', async () => {
    const account = newId('acc_');
    await load(account);
    const grant = statement(
      'test.grant',
      `UPDATE pools SET storage_limit = 7, version = version + 1 WHERE account_id = $1`,
    );
    await query(grant, [account]);
    await load(account);
    expect(await cached(account)).toMatchObject({ storage: { limit: 7 }, bandwidth: { limit: 5000 } });
  });

  it('MISC-06: counts users as seats of the identity pool', async () => {
    const account = newId('acc_');
    const user = () => ({ account_id: account, user_id: newId('usr_') });
    await publish([accountCreated, { account_id: account }], [userAdded, user()], [userAdded, user()]);
    await snapshotWhere(account, ({ identity }) => identity.used === 2);
    expect(await lines(account)).toEqual([]);
  });

  it('MISC-06: gets the seat of a removed user back once, despite redeliveries', async () => {
    const account = newId('acc_');
    const users = Array.from({ length: 3 }, () => ({ account_id: account, user_id: newId('usr_') }));
    await publish(...users.map((user) => [userAdded, user] as [typeof userAdded, typeof user]));
    await snapshotWhere(account, ({ identity }) => identity.used === 3);
    const removed = { ...(users[0] as (typeof users)[0]), actor_id: newId('key_') };
    await publish([userRemoved, removed]);
    await snapshotWhere(account, ({ identity }) => identity.used === 2);
    const [id = ''] = await sendAgain(
      auth,
      `name = 'auth.user-removed' AND payload->>'account_id' = '${account}'`,
    );
    const delivery = { id, name: userRemoved.name, accountId: null, requestId: null };
    const copy = { ...delivery, occurredAtMs: Date.now(), payload: removed };
    // Without a message id, JetStream does not deduplicate: only the recorded `processed` row does.
    await publishSigned(harness.connection, signedEvents('auth', 'reporting', copy));
    await publish([userAdded, { account_id: account, user_id: newId('usr_') }]); // applied after the copies
    expect(await snapshotWhere(account, ({ identity }) => identity.used !== 2)).toMatchObject({
      identity: { used: 3, limit: 3 },
    });
  });

  it('MISC-06: shows the seat of the owner before and after the events of a new account, and counts it once', async () => {
    const account = newId('acc_');
    const user = () => ({ account_id: account, user_id: newId('usr_') });
    await load(account);
    expect((await cached(account))?.identity.used).toBe(1);
    await publish([accountCreated, { account_id: account }], [userAdded, user()]);
    const counted = await snapshotWhere(account, ({ version }) => version > 1);
    expect(counted?.identity.used).toBe(1);
    await publish([userAdded, user()]);
    await snapshotWhere(account, (pools) => pools.identity.used === 2);
  });

  it('MISC-06: never shows fewer seats than that of the owner when a removal is applied before its addition', async () => {
    const account = newId('acc_');
    const user = { account_id: account, user_id: newId('usr_') };
    await publish([userRemoved, { ...user, actor_id: newId('key_') }]);
    expect(await snapshotWhere(account, () => true)).toMatchObject({ identity: { used: 1 } });
    await publish([userAdded, user]);
    expect(await snapshotWhere(account, ({ version }) => version > 1)).toMatchObject({
      identity: { used: 1 },
    });
  });

  it('is published for a new account before the first request', async () => {
    const account = newId('acc_');
    await publish([accountCreated, { account_id: account }]);
    expect(await snapshotWhere(account, () => true)).toMatchObject({
      plan: 'active',
      identity: { used: 1, limit: 3 },
    });
  });

  it('is created once by concurrent requests', async () => {
    const account = newId('acc_');
    await Promise.all(Array.from({ length: 20 }, () => load(account)));
    expect(
      await query(statement('test.count', `SELECT 1 FROM pools WHERE account_id = $1`), [account]),
    ).toHaveLength(1);
  });
});

describe('ENV-12: a bandwidth cycle that has ended', () => {
  const age = statement(
    'test.age',
    `UPDATE pools SET cycle_resets_at = now() - $2::interval WHERE account_id = $1`,
  );
  const used = async (account: string) => {
    await publish([sparkCreated, spark(account, 400)]);
    await snapshotWhere(account, ({ bandwidth }) => bandwidth.used === 400);
  };

  it('restarts with the next snapshot request, and keeps the storage', async () => {
    const account = newId('acc_');
    await used(account);
    await query(age, [account, '1 second']);
    await load(account);
    expect(await cached(account)).toMatchObject({ storage: { used: 400 }, bandwidth: { used: 0 } });
  });

  it('restarts with the next draw', async () => {
    const account = newId('acc_');
    await used(account);
    await query(age, [account, '1 second']);
    await publish([sparkCreated, spark(account, 5)]);
    await snapshotWhere(account, ({ storage }) => storage.used === 405);
    expect((await cached(account))?.bandwidth.used).toBe(5);
  });

  it('is followed by whole cycles, however long the account was idle', async () => {
    const account = newId('acc_');
    await load(account);
    await query(age, [account, '1801 hours']); // two cycles and a half
    await load(account);
    const hours = (((await cached(account))?.bandwidth.cycle_resets_at ?? 0) - Date.now() / 1_000) / 3_600;
    expect(hours).toBeGreaterThan(358.9);
    expect(hours).toBeLessThan(359.1);
  });
});

describe('pool snapshots in Redis', () => {
  it('are restored by the next request after Redis lost them', async () => {
    const account = newId('acc_');
    await publish([sparkCreated, spark(account, 10)]);
    await snapshotWhere(account, ({ storage }) => storage.used === 10);
    await until(async () => {
      await inspector.command('FLUSHDB');
      return (await cached(account)) === null; // a snapshot whose publication timed out is published again a second later
    });
    await load(account);
    expect((await cached(account))?.storage.used).toBe(10);
  });

  it('OPEN-58 ENV-24: are published again without a request after Redis was unresponsive', async () => {
    const account = newId('acc_');
    const made = spark(account, 30);
    await publish([sparkCreated, made]);
    await snapshotWhere(account, ({ storage }) => storage.used === 30);
    redis.pause();
    await publish([sparkDeleted, made]);
    await eventually(
      () => lines(account),
      (rows) => rows.length === 3,
    );
    await delay(500); // the publication after the commit times out within 250 ms
    redis.resume();
    await snapshotWhere(account, ({ storage }) => storage.used === 0);
  });

  it('do not block events while Redis is down, and are correct when it is up again', async () => {
    const account = newId('acc_');
    await redis.kill('SIGKILL');
    await publish([sparkCreated, spark(account, 20)]);
    await eventually(
      () => lines(account),
      (rows) => rows.length === 2,
    );
    await expect(loadOnce(account)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await redis.restart();
    await load(account);
    expect((await cached(account))?.storage.used).toBe(20);
    expect(await query(sums, [account])).toEqual([{ storage: 20, bandwidth: 20, lines: 2 }]);
  });
});
