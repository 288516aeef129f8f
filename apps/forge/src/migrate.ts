import { runMigrations } from '@vaultsvc/database';
import { storage } from './forge.service.js';

await runMigrations(storage);
