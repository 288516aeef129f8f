import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MINT_BYTES_MAX, SPARK_PAYLOAD_BYTES_MAX, type SparkToMint } from '@vaultsvc/contracts/sparks';
import { Database } from '@vaultsvc/database';
import { accountContext, lockWaiters, outboxEvents, reasonOf } from '@vaultsvc/testing/harness';
import { startKms, type TestServer } from '@vaultsvc/testing/servers';
import { until } from '@vaultsvc/testing/waiting';
import { messageCountsOf } from '../../testing/message-counts.js';
import { mintingOf, sparkOf } from '../../testing/minting.js';
import { emptyKeyCaches } from '../../testing/key-caches.js';
import { startPlatform, type Platform } from '../../testing/platform.js';

let platform: Platform;
let kms: TestServer;
beforeAll(async () => {
  kms = await startKms();
  // The statement timeout exceeds the caller's deadline, so that the statement still waits for the lock after it.
  const patient = { DATABASE_STATEMENT_MS: '30000' };
  platform = await startPlatform({ LOG_LEVEL: 'silent', KMS_ENDPOINT: kms.url, ...patient });
});
afterEach(() => void jest.restoreAllMocks());
afterAll(async () => {
  await platform.harness.stop();
  await kms.stop();
});

const caller = accountContext();
const mint = (...args: Parameters<ReturnType<typeof mintingOf>['mint']>) =>
  mintingOf(platform.harness, caller).mint(...args);
const idsOf = (sparks: readonly SparkToMint[]) => sparks.map(({ spark_id }) => spark_id);
const stored = (ids: string[]) =>
  platform.sql(`SELECT id FROM sparks WHERE id = ANY($1::text[])`, [ids]).then((rows) => rows.length);
const publishedEvents = (ids: string[]) => outboxEvents(platform.service, { spark_id: ids });
const setFault = async (mode: string, ms = 0) => {
  const answer = await fetch(`${kms.url}/_fault`, { method: 'POST', body: JSON.stringify({ mode, ms }) });
  return ((await answer.json()) as { before: { calls: number } }).before;
};

describe('mintSparks while key management is down', () => {
  it('STR-12: stores nothing and publishes nothing', async () => {
    await setFault('down');
    const sparks = [sparkOf('a'), sparkOf('b')];
    expect(await reasonOf(mint(sparks))).toBe('INTERNAL_ERROR');
    await setFault('none');
    expect(await stored(idsOf(sparks))).toBe(0);
    expect(await publishedEvents(idsOf(sparks))).toEqual([]);
  });

  it('STR-12: stores nothing after the deadline of the caller', async () => {
    await until(() => mint([sparkOf('warm')]).then(() => true)); // Until the KMS client retries.
    emptyKeyCaches(platform.service);
    await setFault('slow', 600);
    const late = [sparkOf('late')];
    expect(await reasonOf(mintingOf(platform.harness, caller, 0.3).mint(late))).toBe('INTERNAL_ERROR');
    await setFault('none');
    const next = [sparkOf('next')];
    await mint(next); // Waits for the same key: once this batch is stored, the other call has ended.
    expect([await stored(idsOf(late)), await stored(idsOf(next))]).toEqual([0, 1]);
  });
});

describe('a batch that waits for a lock in the database', () => {
  it('STR-12: is removed again when it was stored after the deadline of its caller', async () => {
    const late = [sparkOf('late'), sparkOf('later')];
    const connection = await platform.service.context.get(Database).connect();
    await connection.query('BEGIN');
    await connection.query('LOCK TABLE sparks IN SHARE MODE');
    const minted = reasonOf(mintingOf(platform.harness, caller, 3).mint(late));
    await until(async () => (await lockWaiters(platform.service)) > 0);
    expect(await minted).toBe('INTERNAL_ERROR');
    await connection.query('COMMIT');
    connection.release();
    const names = async () => (await publishedEvents(idsOf(late))).map(({ name }) => name).sort();
    await until(async () => (await names()).length === 4);
    expect(await names()).toEqual(['sparks.created', 'sparks.created', 'sparks.deleted', 'sparks.deleted']);
    expect(await stored(idsOf(late))).toBe(0);
  });
});

describe('mintSparks', () => {
  it('STR-13: mints Sparks that their account reads once, unchanged', async () => {
    const sparks = [
      sparkOf('hunter2'),
      sparkOf(''),
      sparkOf('"\\u0000\u0000é🔑'),
      sparkOf('{"__proto__":[1,null]}', 'application/json'),
    ];
    await mint(sparks);
    for (const { spark_id, content, content_type } of sparks) {
      expect(await platform.read(spark_id, caller)).toMatchObject({
        payload: Buffer.from(content, 'base64').toString(),
        size_bytes: Buffer.from(content, 'base64').length,
        content_type,
        filename: null,
      });
      expect(await reasonOf(platform.read(spark_id, caller))).toBe('SPARK_BURNED');
    }
  });

  it('STR-13 AMB-06: mints Sparks that are unknown to other accounts', async () => {
    const spark = sparkOf('x');
    await mint([spark]);
    expect(await reasonOf(platform.read(spark.spark_id, accountContext()))).toBe('SPARK_NOT_FOUND');
    expect(await platform.read(spark.spark_id, caller)).toMatchObject({ payload: 'x' });
  });

  it('STR-11: lets Sparks of 90 seconds expire after 90 seconds, not after 120', async () => {
    const [read, missed] = [sparkOf('x'), sparkOf('y')];
    const { expires_at } = await mint([read, missed], { ttl_seconds: 90 });
    const rows = await platform.sql(
      `SELECT ttl_minutes, floor(extract(epoch FROM expires_at))::bigint AS expires, due_at = expires_at AS is_due,
              extract(epoch FROM expires_at - created_at)::int AS lives
         FROM sparks WHERE id = ANY($1::text[])`,
      [[read.spark_id, missed.spark_id]],
    );
    const row = { ttl_minutes: 2, expires: expires_at, is_due: true, lives: 90 };
    expect(rows).toEqual([row, row]);
    await platform.age(read.spark_id, '60 seconds');
    await platform.age(missed.spark_id, '90 seconds');
    expect(await platform.read(read.spark_id, caller)).toMatchObject({ payload: 'x' });
    expect(await reasonOf(platform.read(missed.spark_id, caller))).toBe('SPARK_EXPIRED');
  });

  it.each([
    [60, 1],
    [61, 2],
    [900, 15],
    [86_400, 1_440],
  ])('STR-11: rounds %d seconds up to %d minutes in lists', async (ttl_seconds, ttl_minutes) => {
    const own = accountContext();
    await mintingOf(platform.harness, own).mint([sparkOf('x')], { ttl_seconds });
    expect((await platform.list({}, own)).sparks).toMatchObject([{ ttl_minutes, status: 'active' }]);
  });

  it('publishes an event for each Spark, with actor and request', async () => {
    const sparks = [sparkOf('12345'), sparkOf('')];
    const { expires_at } = await mint(sparks);
    const { accountId: account_id, credentialId: actor_id } = caller.credential;
    const of = (spark_id: string, size_bytes: number) => ({
      name: 'sparks.created',
      account_id,
      request_id: caller.requestId,
      payload: { spark_id, account_id, size_bytes, expires_at, actor_type: 'api_key', actor_id },
    });
    const [first, second] = idsOf(sparks) as [string, string];
    expect(await publishedEvents([first, second])).toEqual(
      expect.arrayContaining([of(first, 5), of(second, 0)]),
    );
  });

  it('stores a batch of the maximal size with one statement and no call to key management', async () => {
    await messageCountsOf(platform).waitPastHourEnd(); // A new hour has a new epoch key.
    await mint([sparkOf('warm')]);
    await setFault('none');
    const queried = jest.spyOn(platform.service.context.get(Database), 'query');
    const sparks = Array.from({ length: 16 }, () => sparkOf(Buffer.alloc(SPARK_PAYLOAD_BYTES_MAX, 'é')));
    await mint(sparks);
    const inserts = queried.mock.calls.filter(([{ name }]) => name.startsWith('sparks.insert'));
    expect(inserts).toHaveLength(1);
    expect((await setFault('none')).calls).toBe(0);
    expect(await stored(idsOf(sparks))).toBe(16);
    expect(await platform.read(sparks[15]?.spark_id as string, caller)).toMatchObject({
      payload: 'é'.repeat(SPARK_PAYLOAD_BYTES_MAX / 2),
    });
  });

  it('stores a hundred Sparks as one batch under one epoch key', async () => {
    const sparks = Array.from({ length: 100 }, (_, index) => sparkOf(`value ${index}`));
    await mint(sparks);
    const kids = await platform.sql(`SELECT DISTINCT kid FROM sparks WHERE id = ANY($1::text[])`, [
      idsOf(sparks),
    ]);
    expect([kids.length, (await publishedEvents(idsOf(sparks))).length]).toEqual([1, 100]);
  });
});

describe('STR-12: mintSparks stores nothing', () => {
  it('when an id exists already', async () => {
    const [first, second] = [sparkOf('first'), sparkOf('second')];
    await mint([first]);
    expect(await reasonOf(mint([second, { ...first, content: sparkOf('other').content }]))).toBe(
      'INTERNAL_ERROR',
    );
    expect(await stored([second.spark_id])).toBe(0);
    expect(await publishedEvents([second.spark_id])).toEqual([]);
    expect(await platform.read(first.spark_id, caller)).toMatchObject({ payload: 'first' });
  });

  it('when its events cannot be stored', async () => {
    await platform.sql(
      `ALTER TABLE outbox ADD CONSTRAINT refused CHECK (payload->>'size_bytes' <> '777') NOT VALID`,
    );
    const sparks = [sparkOf('x'), sparkOf('y'.repeat(777))];
    expect(await reasonOf(mint(sparks))).toBe('INTERNAL_ERROR');
    await platform.sql(`ALTER TABLE outbox DROP CONSTRAINT refused`);
    expect([await stored(idsOf(sparks)), (await publishedEvents(idsOf(sparks))).length]).toEqual([0, 0]);
  });

  it.each<[string, () => SparkToMint[]]>([
    ['nothing', () => []],
    ['a hundred and one', () => Array.from({ length: 101 }, () => sparkOf('x'))],
    ['a content that is not base64', () => [sparkOf('x'), { ...sparkOf('y'), content: 'not base64' }]],
    ['base64 that no encoder writes', () => [{ ...sparkOf('y'), content: 'AAF=' }]],
    ['a content of 256,001 bytes', () => [sparkOf(Buffer.alloc(SPARK_PAYLOAD_BYTES_MAX + 1, 'a'))]],
    [
      'more bytes than a batch may have',
      () => Array.from({ length: 17 }, () => sparkOf(Buffer.alloc(Math.ceil(MINT_BYTES_MAX / 17), 'a'))),
    ],
  ])('of %s', async (_, make) => {
    const sparks = make();
    expect(await reasonOf(mint(sparks))).toBe('VALIDATION_ERROR');
    expect(await stored(idsOf(sparks))).toBe(0);
  });
});
