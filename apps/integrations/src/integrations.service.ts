import { StatefulConfig } from '@vaultsvc/config';
import type { Storage } from '@vaultsvc/database';
import { CreateMessagingTables1700000000000 } from '@vaultsvc/messaging';
import { defineService } from '@vaultsvc/service';
import { IntegrationsModule } from './integrations.module.js';

export const storage: Storage = { entities: [], migrations: [CreateMessagingTables1700000000000] };

export const integrations = defineService({
  name: 'integrations',
  config: StatefulConfig,
  module: IntegrationsModule,
  storage,
});
