import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Module,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { StatefulConfig } from '@vaultsvc/config';
import { event, Text, type Delivery } from '@vaultsvc/contracts';
import { Database, statement, type Transaction } from '@vaultsvc/database';
import { defineService, type RunningService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { rowsOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { publishSigned, signedEvents } from '@vaultsvc/testing/wire';
import { from, mergeMap, type Observable } from 'rxjs';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Consumes, serviceStorage } from './index.js';

class Fact {
  @Text({ max: 100 }) item: string;
}
const happened = event({ name: 'source.happened', payload: Fact, consumers: ['sink'] });
const vanished = event({ name: 'source.vanished', payload: Fact, consumers: ['sink'] });

const insert = statement('test.insert-seen', `INSERT INTO seen (item, by) VALUES ($1, $2)`);

let refusals = 0;
let batches: string[][] = [];

/** Refuses a batch as often as the test says. */
class BatchGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const rpc = context.switchToRpc();
    batches.push(rpc.getData<readonly Delivery<Fact>[]>().map(({ payload }) => payload.item));
    if (refusals-- > 0) throw new Error('not yet');
    return rpc.getContext<Transaction>().query !== undefined;
  }
}

/** Writes in the transaction of the batch, after its consumer. */
class Note implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const tx = context.switchToRpc().getContext<Transaction>();
    return next.handle().pipe(mergeMap(() => from(tx.query(insert, ['a batch', 'interceptor']))));
  }
}

@Controller()
class Applier {
  @Consumes(happened, vanished)
  @UseGuards(BatchGuard)
  @UseInterceptors(Note)
  async apply(deliveries: readonly Delivery<Fact>[], tx: Transaction): Promise<void> {
    for (const { payload } of deliveries) await tx.query(insert, [payload.item, 'consumer']);
    if (deliveries.some(({ payload }) => payload.item === 'poison')) throw new Error('cannot be applied');
  }
}
@Module({ controllers: [Applier] })
class SinkModule {}

class CreateSeen1700000000001 implements MigrationInterface {
  readonly name = 'CreateSeen1700000000001';
  async up(runner: QueryRunner) {
    await runner.query(`CREATE TABLE seen (item text, by text)`);
  }
  async down(runner: QueryRunner) {
    await runner.query(`DROP TABLE seen`);
  }
}
const sink = defineService({
  name: 'sink',
  config: StatefulConfig,
  module: SinkModule,
  storage: serviceStorage([CreateSeen1700000000001]),
});

const harness = useHarness({ LOG_LEVEL: 'silent' });
let service: RunningService;
beforeAll(async () => void (service = await harness.start(sink)));
beforeEach(async () => {
  [refusals, batches] = [0, []];
  await service.context.get(Database).query(statement('test.clear', `DELETE FROM seen`));
});
afterAll(() => service.stop());

const delivery = ({ name }: { readonly name: string }, item: string): Delivery => ({
  id: randomUUID(),
  name,
  accountId: null,
  requestId: null,
  occurredAtMs: 1,
  payload: { item },
});
const publish = (...deliveries: readonly Delivery[]) =>
  publishSigned(harness.connection, signedEvents('source', 'sink', ...deliveries));
const seenBy = async (by: string) =>
  (await rowsOf(service, `SELECT item FROM seen WHERE by = $1 ORDER BY item`, [by])).map(({ item }) => item);

describe('MISC-01: events whose consumer has a guard and an interceptor of Nest', () => {
  it('pass them as one batch in one transaction, whatever their names', async () => {
    await publish(delivery(happened, 'a'), delivery(vanished, 'b'));
    await eventually(
      () => seenBy('consumer'),
      (items) => items.length === 2,
    );
    expect(batches).toEqual([['a', 'b']]);
    expect(await seenBy('interceptor')).toEqual(['a batch']);
  });

  it('are redelivered when the guard refuses them, and are applied once', async () => {
    refusals = 1;
    await publish(delivery(happened, 'later'));
    expect(
      await eventually(
        () => seenBy('consumer'),
        (items) => items.length > 0,
      ),
    ).toEqual(['later']);
    expect(batches).toEqual([['later'], ['later']]);
  });

  it('leave no effect of consumer or interceptor when the consumer fails', async () => {
    await publish(delivery(happened, 'poison'), delivery(happened, 'beside it'));
    await eventually(
      () => seenBy('consumer'),
      (items) => items.length > 0,
    );
    expect(await seenBy('consumer')).toEqual(['beside it']);
    expect(await seenBy('interceptor')).toEqual(['a batch']);
  });
});
