import { defineService } from '@vaultsvc/service';
import { AuthModule } from './auth.module.js';
import { AuthConfig } from './config.js';
import { storage } from './storage.js';

export const auth = defineService({ name: 'auth', config: AuthConfig, module: AuthModule, storage });
