import { runMigrations } from '@vaultsvc/database';
import { storage } from './auth.service.js';

await runMigrations(storage);
