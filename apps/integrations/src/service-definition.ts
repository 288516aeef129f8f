import { defineService } from '@vaultsvc/service';
import { IntegrationsConfig } from './config.js';
import { IntegrationsModule } from './integrations.module.js';
import { storage } from './storage.js';

export const integrations = defineService({
  name: 'integrations',
  config: IntegrationsConfig,
  module: IntegrationsModule,
  storage,
});
