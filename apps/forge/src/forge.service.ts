import { StatefulConfig } from '@vaultsvc/config';
import { defineService } from '@vaultsvc/service';
import { ForgeModule } from './forge.module.js';
import { storage } from './storage.js';

export const forge = defineService({ name: 'forge', config: StatefulConfig, module: ForgeModule, storage });
