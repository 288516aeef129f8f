import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { StatefulConfig, UsageError } from '@vaultsvc/config';
import { event, Text, type Delivery } from '@vaultsvc/contracts';
import { Database, statement, type Transaction } from '@vaultsvc/database';
import { defineService, type RunningService } from '@vaultsvc/service';
import { rowsOf, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { publishSigned, signedEvents, verifierOf } from '@vaultsvc/testing/wire';
import { EventConsumer } from '../event-consumer.js';
import { serviceStorage } from '../tables/index.js';
import { readArguments } from './read-arguments.js';
import { carryOut } from './run-dead-letters.js';

class Fact {
  @Text({ max: 100 }) item: string;
}
const failed = event({ name: 'source.failed', payload: Fact, consumers: ['sink'] });

@Module({})
class SinkModule {}
const sink = defineService({
  name: 'sink',
  config: StatefulConfig,
  module: SinkModule,
  storage: serviceStorage(),
});

const IDS = ['00000000-0000-4000-9000-000000000001', '00000000-0000-4000-9000-000000000002'] as const;
const noteEffect = statement(
  'test.note-effect',
  `INSERT INTO idempotency_keys
  (account_id, operation, key_hash, hour, fingerprint) VALUES ('effect', 'of', sha256(random()::text::bytea), '', '')`,
);

let harness: Harness;
let service: RunningService;
let consumers: readonly EventConsumer[];
let isBroken = true;

/** Two instances of the consumer, as two instances of a service have them. */
beforeAll(async () => {
  harness = await startHarness({ LOG_LEVEL: 'silent' });
  service = await harness.start(sink);
  consumers = [newConsumer(), newConsumer()];
  for (const consumer of consumers) await consumer.start();
});
afterAll(async () => {
  await Promise.all(consumers.map((consumer) => consumer.stop()));
  await harness.stop();
});
beforeEach(async () => {
  isBroken = true;
  await rowsOf(service, `TRUNCATE dead_letters, processed, idempotency_keys`);
  for (const id of IDS)
    await publishSigned(harness.connection, signedEvents('source', 'sink', deliveryOf(id)));
  await eventually(letters, (rows) => rows.length === IDS.length);
});

const deliveryOf = (id: string): Delivery => ({
  id,
  name: failed.name,
  accountId: 'acc_1',
  requestId: 'req_1',
  occurredAtMs: 1,
  payload: { item: 'x' },
});

function newConsumer(): EventConsumer {
  const handlers = [{ events: [failed], consume }];
  const verifier = verifierOf('source');
  const database = service.context.get(Database);
  return new EventConsumer(harness.connection, database, 'sink', 'source', handlers, {
    verifier,
    retryAfterMs: [1],
  });
}

async function consume(deliveries: readonly Delivery[], tx: Transaction): Promise<void> {
  if (isBroken) throw new Error('the disk of the sink is full');
  for (const _ of deliveries) await tx.query(noteEffect);
}

const letters = () =>
  rowsOf<{ event_id: string; error: string }>(
    service,
    `SELECT event_id, error FROM dead_letters ORDER BY event_id`,
  );
const effects = async () => (await rowsOf(service, `SELECT 1 FROM idempotency_keys`)).length;

/** Runs the program with these arguments. */
async function run(...args: string[]) {
  const lines: string[] = [];
  const { dataSource } = service.context.get(Database);
  const code = await carryOut(dataSource, readArguments(args), (line) => lines.push(line));
  return { code, lines };
}

/** Runs it while both instances look for requested dead letters. */
async function runWithInstances(...args: string[]) {
  const running = run(...args);
  await eventually(
    () => rowsOf(service, `SELECT 1 FROM dead_letters WHERE replay_requested_at IS NOT NULL`),
    (rows) => rows.length > 0,
  );
  await Promise.all(consumers.map((consumer) => consumer.replayRequested()));
  return running;
}

describe('dead-letters list', () => {
  it('prints consumer, event, age, request and reason of each', async () => {
    const { code, lines } = await run('list');
    expect(code).toBe(0);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /^sink-source {2}0{8}-.* source\.failed {2}\d+ s old {2}req_1 {2}the disk of the sink is full$/,
    );
  });

  it('prints JSON lines, without the payload of the event', async () => {
    const { lines } = await run('list', '--json', '--consumer', 'sink-source');
    expect(Object.keys(JSON.parse(lines[0] as string) as object)).toEqual([
      'consumer',
      'event_id',
      'event',
      'account_id',
      'request_id',
      'age_seconds',
      'reason',
      'is_requested',
    ]);
  });
});

describe('dead-letters replay', () => {
  it('lets one event be applied, once, by one of two instances', async () => {
    isBroken = false;
    const { code, lines } = await runWithInstances('replay', IDS[0]);
    expect([code, lines.at(-1)]).toEqual([0, '1 applied, 0 failed again, 0 still waiting for an instance']);
    expect((await letters()).map(({ event_id }) => event_id)).toEqual([IDS[1]]);
    expect(await effects()).toBe(1);
  });

  it('lets all be applied, and a repetition has nothing to do', async () => {
    isBroken = false;
    const { code, lines } = await runWithInstances('replay', '--all');
    expect([code, lines.at(-1)]).toEqual([0, '2 applied, 0 failed again, 0 still waiting for an instance']);
    expect(await effects()).toBe(2);
    expect(await run('replay', '--all')).toEqual({ code: 0, lines: ['no dead letter to replay'] });
  });

  it('does not apply an event again that was applied meanwhile', async () => {
    isBroken = false;
    await rowsOf(service, `INSERT INTO processed (event_id) VALUES ($1)`, [IDS[0]]);
    await runWithInstances('replay', IDS[0]);
    expect(await letters()).toHaveLength(1);
    expect(await effects()).toBe(0);
  });

  it('keeps one that fails again, with its new reason, and exits with 1', async () => {
    await rowsOf(service, `UPDATE dead_letters SET error = 'an earlier reason'`);
    const { code, lines } = await runWithInstances('replay', IDS[0]);
    expect([code, lines.at(-1)]).toEqual([1, '0 applied, 1 failed again, 0 still waiting for an instance']);
    expect((await letters()).map(({ error }) => error)).toEqual([
      'the disk of the sink is full',
      'an earlier reason',
    ]);
    expect(await effects()).toBe(0);
  });

  it('says that no instance has looked for it yet', async () => {
    const { code, lines } = await run('replay', IDS[0], '--wait', '0');
    expect([code, lines.at(-1)]).toEqual([1, '0 applied, 0 failed again, 1 still waiting for an instance']);
  });

  it('leaves out messages that were refused: their publisher sends the events again', async () => {
    await rowsOf(service, `UPDATE dead_letters SET delivery = '{"base64": "AAAA"}'`);
    expect(await run('replay', '--all')).toEqual({ code: 0, lines: ['no dead letter to replay'] });
  });
});

describe('dead-letters discard', () => {
  it('removes one for good', async () => {
    expect((await run('discard', IDS[0], '--consumer', 'sink-source')).code).toBe(0);
    expect(await letters()).toHaveLength(1);
    expect((await run('discard', IDS[0], '--consumer', 'sink-source')).code).toBe(1);
  });
});

describe('Arguments of dead-letters', () => {
  it.each([[''], ['replay'], ['replay', 'x', '--all'], ['discard', 'x'], ['list', 'x'], ['list', '--what']])(
    'are refused with the usage: %j %j %j',
    (...args: string[]) => {
      expect(() => readArguments(args)).toThrow(UsageError);
    },
  );
});
