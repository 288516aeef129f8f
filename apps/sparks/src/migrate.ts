import { runMigrations } from '@vaultsvc/database/migrate';
import { KeysDatabaseConfig } from './epoch-keys/keys-database-config.js';
import { keysDatabase, storage } from './storage.js';

await runMigrations('sparks', storage, { config: KeysDatabaseConfig, databases: [keysDatabase] });
