import { expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { StatefulConfig } from '@vaultsvc/config';
import { operation } from '@vaultsvc/contracts';
import { Database, statement } from '@vaultsvc/database';
import { defineService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { accountContext } from '@vaultsvc/testing/harness';
import { CreateMessagingTables1700000000000, Handles } from './index.js';

const CONNECTIONS = 2;

const http = { method: 'POST', path: '/v1/till/count', status: 204 } as const;
const countTill = operation({
  name: 'till.count',
  summary: 'For callers of the API.',
  http,
  access: { credential: 'key' },
});
const checkTill = operation({
  name: 'till.check',
  summary: 'For the gateway.',
  access: 'internal',
  errors: ['BUSY'],
});
const auditTill = operation({ name: 'till.audit', summary: 'For services.', access: 'internal' });

const selectOne = statement('till.one', `SELECT 1`);

@Injectable()
class Till {
  constructor(private readonly database: Database) {}

  @Handles(countTill)
  async count(): Promise<void> {
    await this.database.query(selectOne);
  }

  @Handles(checkTill)
  async check(): Promise<void> {
    await this.database.transaction((tx) => tx.query(selectOne));
  }

  @Handles(auditTill)
  audit(): Promise<void> {
    return this.count();
  }
}

@Module({ providers: [Till] })
class TillModule {}

const till = defineService({
  name: 'till',
  config: StatefulConfig,
  module: TillModule,
  storage: { entities: [], migrations: [CreateMessagingTables1700000000000] },
});

const harness = useHarness({ LOG_LEVEL: 'silent' });

it('ENV-44: a full connection pool is 429 BUSY for callers of the API and operations that declare it, and INTERNAL_ERROR for others', async () => {
  const settings = { DATABASE_POOL_MAX: String(CONNECTIONS) };
  const { context } = await harness.start(till, settings);
  const database = context.get(Database);
  const taken = await Promise.all(Array.from({ length: CONNECTIONS }, () => database.connect()));
  const busy = {
    reason: 'BUSY',
    details: { limit: CONNECTIONS, used: CONNECTIONS, resets_at: expect.any(Number) },
  };
  const answers = [countTill, checkTill, auditTill].map((op) =>
    harness.bus.call(op, {}, accountContext()).catch((error: unknown) => error),
  );
  const outcomes = await Promise.all(answers);
  for (const connection of taken) connection.release();
  expect(outcomes).toMatchObject([busy, busy, { reason: 'INTERNAL_ERROR' }]);
  await harness.bus.call(countTill, {}, accountContext());
});
