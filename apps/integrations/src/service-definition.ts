import { StatefulConfig } from '@vaultsvc/config';
import { defineService } from '@vaultsvc/service';
import { IntegrationsModule } from './integrations.module.js';
import { storage } from './storage.js';

export const integrations = defineService({
  name: 'integrations',
  config: StatefulConfig,
  module: IntegrationsModule,
  storage,
});
