import { defineService } from '@vaultsvc/service';
import { VaultsConfig } from './config.js';
import { VaultsModule } from './vaults.module.js';
import { storage } from './storage.js';

export const vaults = defineService({
  name: 'vaults',
  config: VaultsConfig,
  module: VaultsModule,
  storage,
});
