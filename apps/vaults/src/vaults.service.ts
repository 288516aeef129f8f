import { StatefulConfig } from '@vaultsvc/config';
import { defineService } from '@vaultsvc/service';
import { VaultsModule } from './vaults.module.js';
import { storage } from './storage.js';

export const vaults = defineService({
  name: 'vaults',
  config: StatefulConfig,
  module: VaultsModule,
  storage,
});
