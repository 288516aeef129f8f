import type { Storage } from '@vaultsvc/database';
import { CreateMessagingTables1700000000000 } from '@vaultsvc/messaging';
import { defineService } from '@vaultsvc/service';
import { ReportingConfig } from './config.js';
import { CreateLedgerAndPools1764000000000 } from './migrations/1764000000000-create-ledger-and-pools.js';
import { ReportingModule } from './reporting.module.js';

export const storage: Storage = {
  entities: [],
  migrations: [CreateMessagingTables1700000000000, CreateLedgerAndPools1764000000000],
};

export const reporting = defineService({
  name: 'reporting',
  config: ReportingConfig,
  module: ReportingModule,
  storage,
});
