import { runMigrations } from '@vaultsvc/database/migrate';
import { SparksDatabaseConfig } from './config.js';
import { keysDatabase, storage } from './storage.js';

await runMigrations('sparks', storage, { config: SparksDatabaseConfig, databases: [keysDatabase] });
