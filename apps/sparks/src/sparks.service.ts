import type { Storage } from '@vaultsvc/database';
import { CreateMessagingTables1700000000000 } from '@vaultsvc/messaging';
import { defineService } from '@vaultsvc/service';
import { SparksConfig } from './config.js';
import { CreateSparks1763700000000 } from './migrations/1763700000000-create-sparks.js';
import { SparksModule } from './sparks.module.js';

export const storage: Storage = {
  entities: [], // every statement here is on a hot path or sets rows by the hundred: SQL, no ORM
  migrations: [CreateMessagingTables1700000000000, CreateSparks1763700000000],
};

export const sparks = defineService({ name: 'sparks', config: SparksConfig, module: SparksModule, storage });
