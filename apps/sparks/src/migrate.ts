import { runMigrations } from '@vaultsvc/database/migrate';
import { SparksConfig } from './config.js';
import { keysDatabase, storage } from './storage.js';

await runMigrations(storage, { config: SparksConfig, databases: [keysDatabase] });
