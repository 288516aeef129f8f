import { StatefulConfig } from '@vaultsvc/config';
import type { Storage } from '@vaultsvc/database';
import { CreateMessagingTables1700000000000 } from '@vaultsvc/messaging';
import { defineService } from '@vaultsvc/service';
import { VaultsModule } from './vaults.module.js';

export const storage: Storage = { entities: [], migrations: [CreateMessagingTables1700000000000] };

export const vaults = defineService({
  name: 'vaults',
  config: StatefulConfig,
  module: VaultsModule,
  storage,
});
