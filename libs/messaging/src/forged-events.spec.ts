import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Controller, Module } from '@nestjs/common';
import { StatefulConfig } from '@vaultsvc/config';
import { event, Text, type Delivery } from '@vaultsvc/contracts';
import { defineService, type RunningService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { rowsOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { publishSigned, signedEvents, signerOf } from '@vaultsvc/testing/wire';
import { register } from 'prom-client';
import { Consumes, serviceStorage, eventSubject, packEvents, type EventMessage } from './index.js';

class Fact {
  @Text({ max: 100 }) item: string;
}
const happened = event({ name: 'source.happened', payload: Fact, consumers: ['sink'] });
const sold = event({ name: 'shop.sold', payload: Fact, consumers: ['sink'] });
const whispered = event({ name: 'source.whispered', payload: Fact, consumers: ['ledger'] });

let applied: string[] = [];

@Controller()
class Applier {
  @Consumes(happened)
  async onHappened(deliveries: readonly Delivery<Fact>[]): Promise<void> {
    applied.push(...deliveries.map(({ payload }) => payload.item));
  }

  @Consumes(sold)
  async onSold(deliveries: readonly Delivery<Fact>[]): Promise<void> {
    applied.push(...deliveries.map(({ payload }) => payload.item));
  }
}
@Module({ controllers: [Applier] })
class SinkModule {}
const sink = defineService({
  name: 'sink',
  config: StatefulConfig,
  module: SinkModule,
  storage: serviceStorage(),
});

const harness = useHarness({ LOG_LEVEL: 'silent' });
let service: RunningService;
beforeAll(async () => void (service = await harness.start(sink)));
beforeEach(async () => {
  applied = [];
  await rowsOf(service, `DELETE FROM dead_letters`);
});
afterAll(() => service.stop());

const delivery = (name: string, item: string): Delivery => ({
  id: randomUUID(),
  name,
  accountId: null,
  requestId: null,
  occurredAtMs: 1,
  payload: { item },
});
const genuine = (item: string) => signedEvents('source', 'sink', delivery(happened.name, item));

async function refusals(): Promise<number> {
  const { values } = (await register.getSingleMetric('vaultsvc_events_refused_total')?.get()) ?? {
    values: [],
  };
  return values.reduce((sum, { value }) => sum + value, 0);
}

describe('OPEN-51: a message of events', () => {
  const moved: [string, () => EventMessage][] = [
    ['without a signature', () => ({ ...genuine('forged'), headers: {} })],
    [
      'with the signature of another source',
      () => packEvents(signerOf('shop'), eventSubject('source', 'sink'), [delivery(happened.name, 'forged')]),
    ],
    ['with another payload', () => ({ ...genuine('original'), data: Buffer.from(genuine('forged').data) })],
    [
      'that its source signed for another consumer',
      () => ({
        ...signedEvents('source', 'ledger', delivery(happened.name, 'forged')),
        subject: eventSubject('source', 'sink'),
      }),
    ],
    [
      'with an event of another source',
      () =>
        signedEvents('source', 'sink', delivery(sold.name, 'forged'), delivery(happened.name, 'beside it')),
    ],
    [
      'with an event for another consumer',
      () => signedEvents('source', 'sink', delivery(whispered.name, 'forged')),
    ],
    [
      'with a name that no source of its own has',
      () => signedEvents('source', 'sink', delivery('auth.removed', 'forged')),
    ],
    ['that is not JSON', () => packBytes(Buffer.from([0xff, 0x00, 0x7b]))],
  ];

  it.each(moved)('%s has no effect, becomes a dead letter and is counted', async (_, forge) => {
    const before = await refusals();
    await publishSigned(harness.connection, forge());
    const [letter] = await eventually(
      () => rowsOf(service, `SELECT consumer, event_id, error FROM dead_letters`),
      (rows) => rows.length > 0,
    );
    expect(letter).toMatchObject({
      consumer: 'sink-source',
      event_id: expect.stringMatching(/^stream \d+$/),
    });
    await publishSigned(harness.connection, genuine('behind it'));
    await eventually(
      () => applied,
      (items) => items.includes('behind it'),
    );
    expect(applied).toEqual(['behind it']);
    expect(await refusals()).toBe(before + 1);
  });

  it('with an event of a later release of its source is no forgery', async () => {
    await publishSigned(
      harness.connection,
      signedEvents(
        'source',
        'sink',
        delivery('source.of-a-later-release', 'x'),
        delivery(happened.name, 'known'),
      ),
    );
    await eventually(
      () => applied,
      (items) => items.includes('known'),
    );
    expect(await rowsOf(service, `SELECT 1 FROM dead_letters`)).toEqual([]);
  });
});

function packBytes(data: Buffer): EventMessage {
  const subject = eventSubject('source', 'sink');
  return {
    subject,
    data,
    headers: { 'Vk-Signature': signerOf('source').sign(subject, data) },
    id: randomUUID(),
  };
}
