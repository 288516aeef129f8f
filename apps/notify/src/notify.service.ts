import { StatefulConfig } from '@vaultsvc/config';
import { defineService } from '@vaultsvc/service';
import { NotifyModule } from './notify.module.js';
import { storage } from './storage.js';

export const notify = defineService({
  name: 'notify',
  config: StatefulConfig,
  module: NotifyModule,
  storage,
});
