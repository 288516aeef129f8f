import { describe, expect, it, jest } from '@jest/globals';
import { Controller, Logger, Module } from '@nestjs/common';
import { StatefulConfig } from '@vaultsvc/config';
import {
  AppError,
  event,
  healthOperation,
  operation,
  Text,
  Int,
  type Delivery,
  type Handler,
  type Input,
} from '@vaultsvc/contracts';
import { Database, statement, type Transaction } from '@vaultsvc/database';
import { defineService } from '@vaultsvc/service';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { accountContext, hasSentAll, internalContext, reasonOf, sendAgain } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { signerOf } from '@vaultsvc/testing/wire';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  Bus,
  CallKeys,
  Consumes,
  serviceStorage,
  EVENTS_STREAM,
  EVENT_SUBJECTS,
  Handles,
  Outbox,
  OutboxReconciler,
} from './index.js';
import { jetstreamManager } from '@nats-io/jetstream';

class Order {
  @Text({ max: 100 }) item: string;
  @Int({ min: 1, max: 9, optional: true }) count = 1;
}
class Placed {
  @Text({ max: 100 }) item: string;
  @Int() count: number;
  @Text({ max: 100 }) account: string;
}
class OrderPlaced {
  @Text({ max: 100 }) item: string;
}
const placeOrder = operation({
  name: 'shop.place',
  summary: 'Places.',
  access: 'internal',
  callers: ['gateway'],
  body: Order,
  reply: Placed,
  errors: ['SPARK_NOT_FOUND'],
});
/** The same operation, public and internal. */
const sameOperation = { name: 'shop.take', summary: 'Takes.' } as const;
const take = operation({
  ...sameOperation,
  http: { method: 'POST', path: '/v1/products/shop/take', status: 204 },
  access: { credential: 'key' },
});
const restock = operation({
  ...sameOperation,
  name: 'shop.restock',
  access: 'internal',
  callers: ['gateway'],
});
const orderPlaced = event({ name: 'shop.order-placed', payload: OrderPlaced, consumers: ['ledger'] });

const waitBriefly = statement('shop.wait-briefly', `SET LOCAL lock_timeout = '50ms'`);
const takeShelf = statement('shop.take-shelf', `SELECT pg_advisory_xact_lock(1)`);

@Controller()
class PlaceOrder {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  @Handles(placeOrder)
  async handle(
    { body }: Input<typeof placeOrder>,
    context: Parameters<Handler<typeof placeOrder>>[1],
  ): Promise<Placed> {
    if (body.item === 'missing') throw new AppError('SPARK_NOT_FOUND', { item: 'none' });
    if (body.item === 'undeclared') throw new AppError('KINDLING_NOT_FOUND');
    if (body.item === 'bug') throw new Error('password=hunter2');
    await this.database.transaction((tx) =>
      this.outbox.publish(tx, orderPlaced, { item: body.item }, context),
    );
    const account = 'accountId' in context.credential ? context.credential.accountId : '';
    const surplus: Placed & { hidden: string } = { item: body.item, count: body.count, account, hidden: 'x' };
    return surplus;
  }

  @Handles(take)
  async take(): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.query(waitBriefly);
      await tx.query(takeShelf);
    });
  }

  @Handles(restock)
  restock(): Promise<void> {
    return this.take();
  }
}
@Module({ controllers: [PlaceOrder] })
class ShopModule {}

const insertSeen = statement('seen.insert', `INSERT INTO seen (item) VALUES ($1)`);
const selectSeen = statement('seen.select', `SELECT item FROM seen ORDER BY item`);

@Controller()
class OnOrderPlaced {
  failuresLeft = 0;

  @Consumes(orderPlaced)
  async apply(deliveries: readonly Delivery<OrderPlaced>[], tx: Transaction): Promise<void> {
    for (const { payload } of deliveries) {
      await tx.query(insertSeen, [payload.item]);
      if (payload.item === 'fails once' && this.failuresLeft-- > 0) throw new Error('not yet');
    }
  }
}
@Module({ controllers: [OnOrderPlaced] })
class LedgerModule {}

class CreateSeen1700000000001 implements MigrationInterface {
  readonly name = 'CreateSeen1700000000001';
  async up(runner: QueryRunner) {
    await runner.query(`CREATE TABLE seen (item text)`);
  }
  async down(runner: QueryRunner) {
    await runner.query(`DROP TABLE seen`);
  }
}
class Config extends StatefulConfig {}
const shop = defineService({
  name: 'shop',
  config: Config,
  module: ShopModule,
  storage: serviceStorage(),
});
const ledger = defineService({
  name: 'ledger',
  config: Config,
  module: LedgerModule,
  storage: serviceStorage([CreateSeen1700000000001]),
});

const harness = useHarness({ LOG_LEVEL: 'silent' });
const shopService = useService(harness, shop, { DATABASE_STATEMENT_MS: '3000' }); // a lock is waited for for two seconds
const ledgerService = useService(harness, ledger);

const place = (item: string) =>
  harness.bus.call(placeOrder, { body: { item, count: 1 } }, accountContext({ accountId: 'acc_1' }));
const seen = async () =>
  (await ledgerService.context.get(Database).query<{ item: string }>(selectSeen)).map(({ item }) => item);

describe('MISC-01: an operation over NATS', () => {
  it('replies with the declared fields only, and receives the context of its caller', async () => {
    expect(await place('tea')).toEqual({ item: 'tea', count: 1, account: 'acc_1' });
  });

  it('exists in every service for its health', async () => {
    expect(await harness.bus.call(healthOperation('ledger'), {}, internalContext())).toMatchObject({
      status: 'ok',
    });
  });

  it('carries a declared error with its details', async () => {
    await expect(place('missing')).rejects.toMatchObject({
      reason: 'SPARK_NOT_FOUND',
      details: { item: 'none' },
      status: 404,
    });
  });

  it.each(['undeclared', 'bug'])(
    'ENV-30: turns an %s error into INTERNAL_ERROR without its text',
    async (item) => {
      const error = await place(item).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: 'INTERNAL_ERROR', details: undefined });
      expect(JSON.stringify(error)).not.toContain('hunter2');
    },
  );

  it('ENV-35: replies BUSY to a caller of the API after a lock timeout, and INTERNAL_ERROR to a service', async () => {
    const warnings = jest.spyOn(Logger.prototype, 'warn');
    const reasons = await shopService.context.get(Database).transaction(async (tx) => {
      await tx.query(takeShelf);
      const refused = await harness.bus.call(take, {}, accountContext()).catch((error: unknown) => error);
      expect(refused).toMatchObject({
        code: 'RATE_LIMIT_EXCEEDED',
        details: { limit: 1, used: 1, resets_at: expect.any(Number) },
      });
      return reasonOf(harness.bus.call(restock, {}, internalContext()));
    });
    expect(reasons).toBe('INTERNAL_ERROR');
    const told = warnings.mock.calls.map(([entry]) => entry as { msg: string; operation?: string });
    // A failure is logged as a failure, and not as a refusal as well.
    expect(told.filter(({ msg }) => msg === 'too busy')).toMatchObject([{ operation: take.name }]);
    warnings.mockRestore();
    await harness.bus.call(take, {}, accountContext());
  });

  it('ENV-30: fails at once with INTERNAL_ERROR when its service is not running, and logs the cause', async () => {
    const error = await harness.bus
      .call(healthOperation('absent'), {}, internalContext())
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', cause: { kind: 'absent', service: 'absent' } });
  });

  it('OPEN-51: reaches no handler with a MAC under another key', async () => {
    const keys = new CallKeys('gateway', new Map([['gateway-shop', [Buffer.alloc(32, 1)]]]));
    const foreign = new Bus(harness.connection, keys);
    await expect(
      foreign.call(
        placeOrder,
        { body: { item: 'x', count: 1 } },
        { ...accountContext(), deadlineMs: Date.now() + 200 },
      ),
    ).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await place('behind the foreign one');
    const items = await eventually(seen, (all) => all.includes('behind the foreign one'));
    expect(items).not.toContain('x');
  });
});

describe('An event over JetStream', () => {
  it('reaches its consumer after the commit, and a redelivery changes nothing', async () => {
    await place('coffee');
    await eventually(seen, (items) => items.includes('coffee'));
    await eventually(() => hasSentAll(shopService), Boolean);
    expect(await sendAgain(shopService, `payload->>'item' = 'coffee'`)).toHaveLength(1);
    await eventually(() => hasSentAll(shopService), Boolean);
    await place('marker');
    const items = await eventually(seen, (all) => all.includes('marker'));
    expect(items.filter((item) => item === 'coffee')).toHaveLength(1);
  });

  it('blocks no other event when it fails, and is applied as soon as it can be', async () => {
    ledgerService.context.get(OnOrderPlaced).failuresLeft = 1;
    await Promise.all([place('fails once'), place('beside it')]);
    await eventually(seen, (items) => items.includes('beside it'));
    const items = await eventually(seen, (all) => all.includes('fails once'));
    expect(items.filter((item) => item === 'fails once')).toHaveLength(1);
  });

  it('is published again if JetStream lost it after the acknowledgement', async () => {
    const manager = await jetstreamManager(harness.connection);
    await eventually(() => hasSentAll(shopService), Boolean);
    const ledgerDb = ledgerService.context.get(Database);
    await ledgerDb.query(statement('test.lose', `DELETE FROM seen WHERE item = 'tea'`));
    await ledgerDb.query(
      statement(
        'test.lose2',
        `DELETE FROM processed WHERE event_id IN (SELECT event_id FROM processed LIMIT 1000)`,
      ),
    );
    await manager.streams.purge(EVENTS_STREAM);
    const nats = harness.connection;
    const reconciler = new OutboxReconciler(
      nats,
      shopService.context.get(Database),
      harness.bus,
      'shop',
      signerOf('shop'),
    );
    expect(await reconciler.round('0 seconds')).toBeGreaterThan(0);
    await eventually(seen, (items) => items.includes('tea'));
  });

  it('NTF-23: is the only kind of message that streams capture; operations are never stored', async () => {
    expect(EVENT_SUBJECTS).toEqual(['evt.>']);
    const manager = await jetstreamManager(harness.connection);
    const subjects = [];
    for await (const { config } of manager.streams.list()) subjects.push(...config.subjects);
    expect(subjects).toEqual(['evt.>']);
  });
});
