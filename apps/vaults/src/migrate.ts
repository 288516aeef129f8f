import { runMigrations } from '@vaultsvc/database';
import { storage } from './vaults.service.js';

await runMigrations(storage);
