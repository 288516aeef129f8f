import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { readSpark } from '@vaultsvc/contracts/sparks';
import type { Bus } from '@vaultsvc/messaging';
import type { RunningService } from '@vaultsvc/service';
import { accountContext, deadlineIn, readReason, stopSchedule } from '@vaultsvc/testing/harness';
import { raceUntilSeen } from '@vaultsvc/testing/races';
import { startKms, startNats, type TestServer } from '@vaultsvc/testing/servers';
import { connectInspector, TestBus } from '@vaultsvc/testing/wire';
import { until } from '@vaultsvc/testing/waiting';
import { buildService, startInstance } from '../../../../../tools/races/service-instances.ts';
import { sparks } from '../../service-definition.js';
import { emptyKeyCaches } from '../../testing/key-caches.js';
import { startPlatform, type Platform } from '../../testing/platform.js';
import { ExpireSparks } from '../expire-sparks.job.js';

const caller = accountContext();
let platform: Platform;
let second: RunningService;
let kms: TestServer;
const kmsSettings = () => ({ KMS_ENDPOINT: kms.url, LOG_LEVEL: 'silent' });

beforeAll(async () => {
  kms = await startKms();
  platform = await startPlatform(kmsSettings());
  second = await platform.harness.start(sparks, kmsSettings()); // In the same queue group.
  await stopSchedule(platform.service, second);
});
afterAll(async () => {
  await platform.harness.stop();
  await kms.stop();
});

/** The payload, or the error code. */
const outcomeOf = (answer: Promise<{ payload: string } | void>) =>
  answer.then((content) => (content ? `payload ${content.payload}` : 'done'), readReason);
const read = (id: string) => outcomeOf(platform.read(id, caller));
const remove = (id: string) => outcomeOf(platform.remove(id, caller));
const create = async (payload: string, more: object = {}) =>
  (await platform.create({ payload, ...more }, caller)).spark_id;
const count = <T>(values: readonly T[], wanted: T) => values.filter((value) => value === wanted).length;
const endEventsOf = async (id: string) =>
  (
    await platform.sql(
      `SELECT name FROM recorded_events WHERE name <> 'sparks.created' AND payload->>'spark_id' = $1`,
      [id],
    )
  ).map((row) => row.name);

describe('concurrent reads of one Spark on two instances', () => {
  it('SPK-30 SPK-31 MISC-08: return one plaintext to fifty readers; the others get 409 or 403', async () => {
    const losers = new Set<string>();
    for (let round = 0; round < 10 || losers.size < 2; round++) {
      const id = await create(`round ${round}`);
      // Without the key in memory readers lock the Spark first, and the others meet the lock.
      if (round % 2 === 1) for (const service of [platform.service, second]) emptyKeyCaches(service);
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => read(id)));
      expect(count(outcomes, `payload round ${round}`)).toBe(1);
      for (const outcome of outcomes) if (!outcome.startsWith('payload')) losers.add(outcome);
      expect(await endEventsOf(id)).toEqual(['sparks.read']);
    }
    expect([...losers].sort()).toEqual(['SPARK_BURNED', 'SPARK_READ_IN_FLIGHT']);
  });

  it('SPK-30 MISC-08: return every one of twenty Sparks once while readers of all of them meet in the same statements', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, (_, index) => create(`one of many ${index}`)));
    const readers = ids.flatMap((id, index) => Array.from({ length: 5 }, () => ({ id, index })));
    const outcomes = await Promise.all(
      readers.map(async ({ id, index }) => ({ index, outcome: await read(id) })),
    );
    for (const [index] of ids.entries()) {
      const own = outcomes.filter((one) => one.index === index).map(({ outcome }) => outcome);
      expect(count(own, `payload one of many ${index}`)).toBe(1);
    }
    for (const id of ids) expect(await endEventsOf(id)).toEqual(['sparks.read']);
  });

  it('SPK-36 AMB-05 OPEN-58: race with deletions: the Spark is read once or deleted once, never both', () =>
    raceUntilSeen(['sparks.deleted', 'sparks.read'], 40, async (together) => {
      const id = await create('either or');
      const all = (act: (id: string) => Promise<string>, times: number) => () =>
        Promise.all(Array.from({ length: times }, () => act(id)));
      const [outcomes] = await together(all(read, 3), all(remove, 2));
      const events = await endEventsOf(id);
      expect(events).toHaveLength(1);
      expect(count(outcomes, 'payload either or')).toBe(events[0] === 'sparks.read' ? 1 : 0);
      if (events[0] === 'sparks.deleted') expect(await read(id)).toBe('SPARK_NOT_FOUND');
      return events[0] as string;
    }));

  it('SPK-28 OPEN-58: race with the expiry job: storage is released once', async () => {
    const job = platform.service.context.get(ExpireSparks);
    for (let round = 0; round < 20; round++) {
      const id = await create('on the edge', { ttl_minutes: 1 });
      await platform.age(id, '59.985 seconds');
      const [outcomes] = await Promise.all([
        Promise.all([read(id), delay(10).then(() => read(id))]),
        delay(round).then(() => job.run()),
      ]);
      await delay(20);
      await job.run();
      const events = await endEventsOf(id);
      expect(events).toHaveLength(1);
      expect(count(outcomes, 'payload on the edge')).toBe(events[0] === 'sparks.read' ? 1 : 0);
    }
  });
});

describe('a reader that is killed or paused between claim and burn', () => {
  let nats: TestServer;
  let connection: NatsConnection;
  let bus: Bus;
  let instance: Awaited<ReturnType<typeof startInstance>>;

  // On a NATS of its own, so that the test chooses the reader; with an empty key cache, so that it calls KMS.
  beforeAll(async () => {
    nats = await startNats();
    connection = await connectInspector(nats.url);
    bus = new TestBus(connection);
    const environment = await platform.harness.environment('sparks', {
      ...kmsSettings(),
      NATS_URL: nats.url,
    });
    instance = await startInstance(await buildService('sparks'), environment);
  });
  afterEach(() => fault('none'));
  afterAll(async () => {
    await instance.kill();
    await connection.close();
    await nats.stop();
  });

  const fault = (mode: string, ms?: number) =>
    fetch(`${kms.url}/_fault`, { method: 'POST', body: JSON.stringify({ mode, ms }) });
  /** KMS does not answer until the next fault is set, so that the test can observe a waiting reader. */
  const stallKms = () => fault('slow', 60_000);
  const readThere = (id: string, withinSeconds = 8) =>
    outcomeOf(
      bus.call(readSpark, { params: { spark_id: id } }, { ...caller, deadlineMs: deadlineIn(withinSeconds) }),
    );
  const becomes = (id: string, status: string) =>
    until(
      async () =>
        (await platform.sql(`SELECT 1 FROM sparks WHERE id = $1 AND status = $2`, [id, status])).length > 0,
    );
  const locked = (id: string) => becomes(id, 'reading');
  const released = (id: string) => becomes(id, 'active');

  /** A read on the other instance that holds the read lock and waits for KMS. */
  async function stuckRead(payload: string): Promise<{ id: string; answer: Promise<string> }> {
    await instance.restart();
    const id = await create(payload);
    await stallKms();
    const answer = readThere(id);
    await locked(id);
    return { id, answer };
  }

  it('SPK-32: discloses nothing when killed, and the Spark is readable once the lock is stale', async () => {
    const { id } = await stuckRead('survives');
    await instance.kill('SIGKILL');
    await fault('none');
    expect(await read(id)).toBe('SPARK_READ_IN_FLIGHT');
    await platform.ageLock(id, '20 seconds');
    expect(await read(id)).toBe('SPARK_READ_IN_FLIGHT');
    await platform.ageLock(id, '11 seconds');
    expect(await read(id)).toBe('payload survives');
  });

  it('SPK-32 AMB-52: answers 403 and never the content when another reader has claimed its stale lock', async () => {
    const { id, answer } = await stuckRead('fenced');
    instance.pause();
    await fault('none');
    await platform.ageLock(id, '31 seconds');
    expect(await read(id)).toBe('payload fenced');
    instance.resume();
    expect(await answer).toBe('SPARK_BURNED');
    expect(await endEventsOf(id)).toEqual(['sparks.read']);
  });

  it('SPK-32 AMB-52: does not answer the content when the Spark was deleted or wiped during the pause', async () => {
    const { id, answer } = await stuckRead('withdrawn');
    instance.pause();
    await fault('none');
    await platform.ageLock(id, '31 seconds');
    expect(await remove(id)).toBe('done');
    instance.resume();
    expect(await answer).toBe('SPARK_BURNED');
    expect(await endEventsOf(id)).toEqual(['sparks.deleted']);
  });

  it('SPK-32: does not burn after the deadline of its caller', async () => {
    await instance.restart();
    const id = await create('patient');
    await stallKms();
    const answer = readThere(id, 3);
    await locked(id);
    expect(await answer).toBe('INTERNAL_ERROR');
    await fault('none');
    await released(id);
    expect(await read(id)).toBe('payload patient');
  });

  it('SPK-32: burns nothing while KMS is down, and releases the lock at once', async () => {
    await instance.restart();
    const id = await create('kept');
    await fault('down');
    expect(await readThere(id)).toBe('INTERNAL_ERROR');
    await fault('none');
    expect(await read(id)).toBe('payload kept');
  });
});
