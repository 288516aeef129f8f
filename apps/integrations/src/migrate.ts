import { runMigrations } from '@vaultsvc/database';
import { storage } from './integrations.service.js';

await runMigrations(storage);
