import { defineService } from '@vaultsvc/service';
import { NotifyConfig } from './config.js';
import { NotifyModule } from './notify.module.js';
import { storage } from './storage.js';

export const notify = defineService({
  name: 'notify',
  config: NotifyConfig,
  module: NotifyModule,
  storage,
});
