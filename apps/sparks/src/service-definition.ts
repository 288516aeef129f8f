import { defineService } from '@vaultsvc/service';
import { SparksConfig } from './config.js';
import { SparksModule } from './sparks.module.js';
import { keysDatabase, storage } from './storage.js';

export const sparks = defineService({
  name: 'sparks',
  config: SparksConfig,
  module: SparksModule,
  storage,
  furtherDatabases: [keysDatabase],
});
