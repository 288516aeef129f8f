import { expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { StatefulConfig } from '@vaultsvc/config';
import { operation } from '@vaultsvc/contracts';
import { Database, statement } from '@vaultsvc/database';
import { defineService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { accountContext } from '@vaultsvc/testing/harness';
import { serviceStorage, Handles } from './index.js';

const CONNECTIONS = 2;

const http = { method: 'POST', path: '/v1/desk/count', status: 204 } as const;
const countDesk = operation({
  name: 'desk.count',
  summary: 'For callers of the API.',
  http,
  access: { credential: 'key' },
});
const checkDesk = operation({
  name: 'desk.check',
  summary: 'For the gateway.',
  access: 'internal',
  callers: ['gateway'],
  errors: ['BUSY'],
});
const auditDesk = operation({
  name: 'desk.audit',
  summary: 'For services.',
  access: 'internal',
  callers: ['gateway'],
});

const selectOne = statement('desk.one', `SELECT 1`);

@Controller()
class Desk {
  constructor(private readonly database: Database) {}

  @Handles(countDesk)
  async count(): Promise<void> {
    await this.database.query(selectOne);
  }

  @Handles(checkDesk)
  async check(): Promise<void> {
    await this.database.transaction((tx) => tx.query(selectOne));
  }

  @Handles(auditDesk)
  audit(): Promise<void> {
    return this.count();
  }
}

@Module({ controllers: [Desk] })
class DeskModule {}

const desk = defineService({
  name: 'desk',
  config: StatefulConfig,
  module: DeskModule,
  storage: serviceStorage(),
});

const harness = useHarness({ LOG_LEVEL: 'silent' });

it('ENV-44: a full connection pool is 429 BUSY for callers of the API and operations that declare it, and INTERNAL_ERROR for others', async () => {
  const settings = { DATABASE_POOL_MAX: String(CONNECTIONS), DATABASE_STATEMENT_MS: '2000' };
  const { context } = await harness.start(desk, settings);
  const database = context.get(Database);
  const taken = await Promise.all(Array.from({ length: CONNECTIONS }, () => database.connect()));
  const busy = {
    reason: 'BUSY',
    details: { limit: CONNECTIONS, used: CONNECTIONS, resets_at: expect.any(Number) },
  };
  const answers = [countDesk, checkDesk, auditDesk].map((op) =>
    harness.bus.call(op, {}, accountContext()).catch((error: unknown) => error),
  );
  const outcomes = await Promise.all(answers);
  for (const connection of taken) connection.release();
  expect(outcomes).toMatchObject([busy, busy, { reason: 'INTERNAL_ERROR' }]);
  await harness.bus.call(countDesk, {}, accountContext());
});
